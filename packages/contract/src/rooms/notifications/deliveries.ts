import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { webhookEvents, WebhookPayload } from "./payload.ts";

export const deliveryStates = ["pending", "claimed", "succeeded", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Evidence of one delivery: what was sent, how often, and what came back; never where to in full, nor with which secret. */
export const NotificationDelivery = z
  .object({
    id: ResourceId,
    channel_id: ResourceId,
    channel_name: Name,
    endpoint_summary: z.string(),
    event: z.enum(webhookEvents),
    task_id: orNull(ResourceId).meta({ description: "Null for a test" }),
    run_id: orNull(ResourceId),
    state: z.enum(deliveryStates),
    attempt_count: z.int().min(0).max(limits.webhookAttemptsMax).meta({ description: "Rises before each request" }),
    last_status: z.int().min(100).max(599).nullable().meta({ description: "The last HTTP status that came back" }),
    diagnostic: z
      .string()
      .max(limits.diagnosticCharactersMax)
      .nullable()
      .meta({ description: "Why the last attempt failed" }),
    created_at: Timestamp,
    updated_at: Timestamp,
    next_attempt_at: orNull(Timestamp).meta({ description: "Set while it is pending" }),
    claimed_at: orNull(Timestamp).meta({ description: "When the last attempt began" }),
    ended_at: orNull(Timestamp),
    payload: WebhookPayload,
  })
  .meta({ id: "NotificationDelivery" });
export type NotificationDelivery = z.output<typeof NotificationDelivery>;
