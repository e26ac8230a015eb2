import type { WebhookPayload } from "@belfry/webhook-schema";
import { Inbox } from "./inbox.ts";

export interface ReceiverOptions {
  /** The channel's signing secret, or both during a rotation. */
  readonly secret: string | readonly string[];
  readonly inbox: Inbox;
}

/** The path of the channel's endpoint. */
export const webhookPath = "/webhooks/belfry";

/** The port of the receiver. */
export const port = Number(process.env["PORT"] ?? 8080);

/** Limits of a Node server. The daemon waits 5 s for an answer, so no request may take longer. */
export const serverLimits = { requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };

/** Reads the secrets from `BELFRY_WEBHOOK_SECRETS`, separated by spaces. The inbox is `inbox.db`. */
export function readOptions(): ReceiverOptions {
  const secrets = process.env["BELFRY_WEBHOOK_SECRETS"];
  if (secrets === undefined)
    throw new Error("BELFRY_WEBHOOK_SECRETS is not set. Set it to the channel's signing secret.");
  return { secret: secrets.split(" "), inbox: new Inbox("inbox.db", printResult) };
}

function printResult(payload: WebhookPayload): void {
  if (payload.event === "test") return console.log("Received a test.");
  const { task, run } = payload;
  console.log(`${task.name}: ${run.outcome} after ${run.duration_ms} ms`);
}
