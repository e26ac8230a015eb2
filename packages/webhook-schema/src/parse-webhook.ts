import { checkSignature, type SignatureOptions } from "./check-signature.ts";
import { WebhookParseError } from "./errors.ts";
import { readHeader, webhookHeaders, type WebhookHeaders } from "./headers.ts";
import type { WebhookPayload } from "./payload.ts";
import { type RawBody, readBytes, readPayload } from "./read-payload.ts";

/** How {@link parseWebhook} judges a request: leave `secret` out where the channel signs nothing (receiver guide: Signatures). */
export interface ParseWebhookOptions extends SignatureOptions {}

/**
 * The payload of a request, after its size, content type, signature (where a secret is given), JSON, shape and the
 * headers that repeat it were checked, in this order (contract: Receiver contract).
 *
 * ```ts
 * const payload = await parseWebhook(request.headers, await request.arrayBuffer(), { secret });
 * if (payload.event === "run.completed") console.log(payload.task.name, payload.run.outcome);
 * ```
 *
 * @throws {@link WebhookParseError} when the request must not be acted on; its `status` is what to answer.
 * @throws TypeError when the receiver's own set-up is wrong: a secret that is none, a body that was parsed already.
 */
export async function parseWebhook(
  headers: WebhookHeaders,
  rawBody: RawBody,
  options: ParseWebhookOptions = {},
): Promise<WebhookPayload> {
  const body = readBytes(rawBody);
  checkContentType(headers);
  if ("secret" in options) await checkSignature(headers, body, options);
  const payload = readPayload(body);
  const { delivery, event } = payload;
  requireEqual(headers, webhookHeaders.delivery, { member: "delivery.id", value: delivery.id });
  requireEqual(headers, webhookHeaders.event, { member: "event", value: event });
  if ("secret" in options) requireEqual(headers, webhookHeaders.id, { member: "delivery.id", value: delivery.id });
  return payload;
}

function checkContentType(headers: WebhookHeaders): void {
  const type = readHeader(headers, "Content-Type");
  if (type !== null && /^\s*application\/json\s*(?:;|$)/i.test(type)) return;
  throw new WebhookParseError("unsupported_media_type", "Content-Type must be application/json.", "Content-Type");
}

function requireEqual(headers: WebhookHeaders, name: string, expected: { member: string; value: string }): void {
  const value = readHeader(headers, name);
  if (value === expected.value) return;
  const problem = value === null ? "is missing" : `differs from ${expected.member} of the body`;
  throw new WebhookParseError("header_mismatch", `${name} ${problem}.`, name);
}
