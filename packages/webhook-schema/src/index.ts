export type { SignatureOptions } from "./check-signature.ts";
export { isWebhookParseError, WebhookParseError, type WebhookParseReason } from "./errors.ts";
export { webhookHeaders, type WebhookHeaders } from "./headers.ts";
export { instantPattern } from "./instant-pattern.ts";
export { parseWebhook, type ParseWebhookOptions } from "./parse-webhook.ts";
export {
  type RunCompletedPayload,
  type TestPayload,
  type WebhookEvent,
  webhookEvents,
  type WebhookOutcome,
  webhookOutcomes,
  type WebhookPayload,
  webhookSchemaId,
  type WebhookTrigger,
  webhookTriggers,
} from "./payload.ts";
export { type RawBody, webhookBodyBytesMax } from "./read-payload.ts";
export { verifyAuthorization } from "./verify-authorization.ts";
