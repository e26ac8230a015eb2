import type { WebhookPayload } from "@belfry/client";
import { isSignedBy } from "./signature.ts";

/** One request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface Expectations {
  readonly authorization: string | undefined;
  readonly signingSecret: string | undefined;
  readonly nowMs: number;
}

export interface Checked {
  readonly payload: WebhookPayload | null;
  /** What a receiver should not accept; none for a request as it should be. */
  readonly problems: readonly string[];
}

/** How far a signed time may be from now, as Standard Webhooks have it. */
const toleranceMs = 5 * 60_000;

/** What a careful receiver looks at: headers and body name the same delivery, and who sent it knows the secrets. */
export function checkRequest(arrived: Arrived, expected: Expectations): Checked {
  const { headers } = arrived;
  const payload = parse(arrived.body);
  const problems = [
    arrived.method === "POST" ? null : `the method is ${arrived.method}, not POST`,
    headers["content-type"] === "application/json" ? null : "the Content-Type is not application/json",
    /^service\/\S+$/.test(headers["user-agent"] ?? "") ? null : "the User-Agent is not service/<version>",
    ...(payload === null ? ["the body is not an event of service.webhook.v1"] : headProblems(payload, headers)),
    authorizationProblem(headers["authorization"], expected.authorization),
    expected.signingSecret === undefined ? null : signatureProblem(arrived, expected.signingSecret, expected.nowMs),
  ];
  return { payload, problems: problems.filter((problem) => problem !== null) };
}

function headProblems(payload: WebhookPayload, headers: Arrived["headers"]): readonly (string | null)[] {
  return [
    headers["x-service-delivery"] === payload.delivery.id ? null : "X-Service-Delivery is not the delivery's id",
    headers["x-service-event"] === payload.event ? null : "X-Service-Event is not the body's event",
  ];
}

function authorizationProblem(given: string | undefined, expected: string | undefined): string | null {
  if (expected === undefined || given === expected) return null;
  return given === undefined ? "there is no Authorization" : "the Authorization is another one";
}

function signatureProblem({ headers, body }: Arrived, secret: string, nowMs: number): string | null {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (id === undefined || timestamp === undefined || signatures === undefined) return "it is not signed";
  if (!isSignedBy(secret, signatures, { id, timestamp, body })) return "no signature is by this secret";
  return Math.abs(Number(timestamp) * 1_000 - nowMs) <= toleranceMs
    ? null
    : "it was signed more than 5 minutes from now";
}

function parse(body: string): WebhookPayload | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  return isPayload(parsed) ? parsed : null;
}

/** As much as is looked at here. */
function isPayload(value: unknown): value is WebhookPayload {
  if (!isRecord(value) || value["schema"] !== "service.webhook.v1" || !isRecord(value["delivery"])) return false;
  if (typeof value["delivery"]["id"] !== "string") return false;
  if (value["event"] === "test") return true;
  return value["event"] === "run.completed" && isRecord(value["task"]) && isRecord(value["run"]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
