export { buildJsonSchema } from "./document.ts";
export { webhookEvents } from "../payload.ts";
export { RunCompletedPayload, TestPayload, WebhookPayload } from "./payload.ts";
export { StrictWebhookPayload } from "./strict-payload.ts";
