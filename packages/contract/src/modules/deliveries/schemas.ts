import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { referenceTo } from "../../core/references.ts";
import { Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { webhookEvents, WebhookPayload } from "./payload.ts";

export const deliveryStates = ["pending", "claimed", "succeeded", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One delivery: its payload, its attempts and its result. It never has the whole endpoint or a secret. */
export const NotificationDelivery = z
  .object({
    id: ResourceId,
    channel_id: ResourceId,
    channel_name: Name,
    endpoint_summary: z.string(),
    event: z.enum(webhookEvents),
    task_id: orNull(ResourceId).meta({ description: "Null for a test event" }),
    run_id: orNull(ResourceId),
    state: z.enum(deliveryStates),
    attempt_count: z
      .int()
      .min(0)
      .max(limits.webhookAttemptsMax)
      .meta({ description: "The number of attempts so far, which increases before each request is sent" }),
    last_status: z.int().min(100).max(599).nullable().meta({ description: "The HTTP status of the last response" }),
    diagnostic: z
      .string()
      .max(limits.diagnosticCharactersMax)
      .nullable()
      .meta({ description: "Why the last attempt failed" }),
    created_at: Timestamp,
    updated_at: Timestamp,
    next_attempt_at: orNull(Timestamp).meta({ description: "Set while the delivery is pending" }),
    claimed_at: orNull(Timestamp).meta({ description: "When the last attempt started" }),
    ended_at: orNull(Timestamp),
    redelivery_of: orNull(ResourceId).meta({
      description: "The original delivery, which this one repeats. The original may have been deleted since",
    }),
    payload: WebhookPayload,
  })
  .meta({ id: "NotificationDelivery" });
export type NotificationDelivery = z.output<typeof NotificationDelivery>;

export const NotificationRedeliverFailed = z
  .strictObject({
    since: Timestamp.meta({ description: "Only deliveries that failed at or after this time" }),
    channel_id: referenceTo("notification_channel").optional().meta({ description: "Only deliveries to this channel" }),
  })
  .meta({ id: "NotificationRedeliverFailed" });
export type NotificationRedeliverFailed = z.output<typeof NotificationRedeliverFailed>;

export const leftOutReasons = [
  "already_redelivered",
  "channel_disabled",
  "channel_deleted",
  "channel_unreadable",
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** The deliveries that one call queued again or left out. Ids only: a thousand payloads would be megabytes. */
export const NotificationRedelivery = z
  .object({
    id: ResourceId.meta({ description: "Identifies this call in the audit trail" }),
    since: Timestamp,
    channel_id: orNull(ResourceId),
    deliveries: z
      .array(z.object({ id: ResourceId, redelivery_of: ResourceId, channel_id: ResourceId }))
      .max(limits.redeliveriesMax)
      .meta({ description: "The new deliveries, in the order in which the original ones ended" }),
    left_out: z
      .array(
        z.object({
          channel_id: ResourceId,
          channel_name: Name,
          reason: z.enum(leftOutReasons).meta({
            description:
              "`channel_unreadable` means that the channel's stored secrets cannot be decrypted; see the daemon's log",
          }),
          count: z.int().min(1),
        }),
      )
      .meta({ description: "The failed deliveries that were not queued again, counted by channel and reason" }),
  })
  .meta({ id: "NotificationRedelivery" });
export type NotificationRedelivery = z.output<typeof NotificationRedelivery>;
