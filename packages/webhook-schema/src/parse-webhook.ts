import { checkSignature, type SignatureOptions } from "./check-signature.ts";
import { WebhookParseError } from "./errors.ts";
import { readHeader, webhookHeaders, type WebhookHeaders } from "./headers.ts";
import type { WebhookPayload } from "./payload.ts";
import { type RawBody, readBytes, readPayload } from "./read-payload.ts";

/** The options of {@link parseWebhook}. Omit `secret` if the channel has no signing secret (receiver guide: Signatures). */
export interface ParseWebhookOptions extends SignatureOptions {}

/**
 * Checks a request and returns its payload. It checks, in this order: size, content type, signature (if `secret` is given),
 * JSON, shape, and the headers that repeat members of the body (contract: Receiver contract).
 *
 * ```ts
 * const payload = await parseWebhook(request.headers, await request.arrayBuffer(), { secret });
 * if (payload.event === "run.completed") console.log(payload.task.name, payload.run.outcome);
 * ```
 *
 * @throws {@link WebhookParseError} if the request is not a valid webhook; answer with its `status`.
 * @throws TypeError if the receiver has a mistake: an invalid secret, or a body that was already parsed.
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
  const problem = value === null ? "is missing" : `differs from the body's ${expected.member}`;
  throw new WebhookParseError("header_mismatch", `${name} ${problem}.`, name);
}
