import type { WebhookPayload } from "@belfry/webhook-schema";
import { Inbox } from "./inbox.ts";

export interface ReceiverOptions {
  /** The channel's signing secret; both while one replaces the other. */
  readonly secret: string | readonly string[];
  readonly inbox: Inbox;
}

/** Where the examples listen: the path of the channel's endpoint. */
export const webhookPath = "/webhooks/belfry";

/** For a Node server. The daemon waits 5 s for an answer: no sender is listened to for longer, or may hold a connection. */
export const serverLimits = { requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };

/** Secrets in `BELFRY_WEBHOOK_SECRETS`, a space between two; the inbox in `inbox.db`. */
export function readOptions(): ReceiverOptions {
  const secrets = process.env["BELFRY_WEBHOOK_SECRETS"];
  if (secrets === undefined) throw new Error("BELFRY_WEBHOOK_SECRETS is not set.");
  return { secret: secrets.split(" "), inbox: new Inbox("inbox.db", tell) };
}

function tell(payload: WebhookPayload): void {
  if (payload.event === "test") return console.log("A test has arrived.");
  const { task, run } = payload;
  console.log(`${task.name}: ${run.outcome} after ${run.duration_ms} ms`);
}
