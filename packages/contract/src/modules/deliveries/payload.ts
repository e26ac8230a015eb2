import type * as types from "@belfry/webhook-schema";
import type { z } from "zod";
import * as open from "../../webhook/payload.ts";

// The schemas of the payload, typed with the types that receivers use.

export { webhookEvents, webhookSchemaId, type WebhookEvent } from "@belfry/webhook-schema";

export const RunCompletedPayload: z.ZodType<types.RunCompletedPayload> = open.RunCompletedPayload;
export type RunCompletedPayload = types.RunCompletedPayload;

export const TestPayload: z.ZodType<types.TestPayload> = open.TestPayload;
export type TestPayload = types.TestPayload;

/** The body of a webhook request (contract: Webhook request payload). Open: receivers must ignore unknown members. */
export const WebhookPayload: z.ZodType<types.WebhookPayload> = open.WebhookPayload.meta({ id: "WebhookPayload" });
export type WebhookPayload = types.WebhookPayload;
