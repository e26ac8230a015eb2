export type { SignatureOptions } from "./check-signature.ts";
export { isWebhookParseError, WebhookParseError, type WebhookParseReason } from "./errors.ts";
export { webhookHeaders, type WebhookHeaders } from "./headers.ts";
export { parseWebhook, type ParseWebhookOptions } from "./parse-webhook.ts";
export {
  type RunCompletedPayload,
  type TestPayload,
  type WebhookEvent,
  type WebhookOutcome,
  type WebhookPayload,
  webhookSchemaId,
  type WebhookTrigger,
} from "./payload.ts";
export { type RawBody, webhookBodyBytesMax } from "./read-payload.ts";
export { verifyAuthorization } from "./verify-authorization.ts";
