import type * as types from "@belfry/webhook-schema";
import * as published from "@belfry/webhook-schema/schema";
import type { z } from "zod";

// There is one description of what is sent, and receivers have it: these are its schemas, with the types written there.

export { webhookSchemaId, type WebhookEvent } from "@belfry/webhook-schema";
export { webhookEvents } from "@belfry/webhook-schema/schema";

export const RunCompletedPayload: z.ZodType<types.RunCompletedPayload> = published.RunCompletedPayload;
export type RunCompletedPayload = types.RunCompletedPayload;

export const TestPayload: z.ZodType<types.TestPayload> = published.TestPayload;
export type TestPayload = types.TestPayload;

/** The body of a webhook request (contract: Webhook request payload). Open: readers ignore members that they do not know. */
export const WebhookPayload: z.ZodType<types.WebhookPayload> = published.WebhookPayload.meta({ id: "WebhookPayload" });
export type WebhookPayload = types.WebhookPayload;
