import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import {
  deliveryStates,
  NotificationDelivery,
  NotificationRedelivery,
  NotificationRedeliverFailed,
} from "./schemas.ts";

const module = { resource: "notification_delivery", transports: everywhere } as const;
const read = { ...module, kind: "read", method: "get", capability: "observe", audited: false } as const;

export const deliveryOperations = [
  defineOperation({
    resource: "notification_channel",
    kind: "write",
    capability: "operate",
    audited: true,
    transports: everywhere,
    id: "notification_channels.test",
    method: "post",
    path: "/notification-channels/{id}/test",
    summary: "Send a test event to a channel, with the usual retries",
    params: IdParams,
    response: { kind: "json", status: 202, schema: NotificationDelivery },
    errors: ["not_found", "conflict"],
    replayedBy: "notification_deliveries.get",
  }),
  defineOperation({
    ...read,
    id: "notification_deliveries.list",
    path: "/notification-deliveries",
    summary: "List deliveries, newest first",
    description:
      "The newest 1,000 finished deliveries of all channels together are kept. Unfinished ones are always kept.",
    query: z.strictObject({
      ...pageQuery,
      channel_id: referenceTo("notification_channel").optional(),
      task_id: referenceTo("task").optional(),
      run_id: referenceTo("run").optional(),
      state: z.enum(deliveryStates).optional(),
    }),
    response: {
      kind: "json",
      status: 200,
      schema: listOf("notification_deliveries", NotificationDelivery).meta({ id: "NotificationDeliveryList" }),
    },
    errors: [],
  }),
  defineOperation({
    ...read,
    id: "notification_deliveries.get",
    path: "/notification-deliveries/{id}",
    summary: "Get a delivery",
    params: IdParams,
    response: { kind: "json", status: 200, schema: NotificationDelivery },
    errors: ["not_found"],
  }),
  defineOperation({
    ...module,
    id: "notification_deliveries.redeliver",
    kind: "write",
    method: "post",
    capability: "operate",
    audited: true,
    path: "/notification-deliveries/{id}/redeliver",
    summary: "Send the same event again, as a new delivery",
    description:
      "The new delivery uses the channel's current endpoint and secrets. It has its own id, and `redelivery_of` is the id of the original delivery.",
    params: IdParams,
    response: { kind: "json", status: 202, schema: NotificationDelivery },
    errors: ["not_found", "conflict"],
    replayedBy: "notification_deliveries.get",
  }),
  defineOperation({
    ...module,
    id: "notification_deliveries.redeliver_failed",
    kind: "write",
    method: "post",
    capability: "operate",
    audited: true,
    path: "/notification-deliveries/redeliver",
    summary: "Resend the deliveries that failed at or after a given time, each as a new delivery",
    description:
      "Resends at most 1,000 deliveries, oldest first. Deliveries that were already redelivered are left out, so a repeated call resends no delivery twice. Deliveries are also left out if their channel is disabled or deleted, or if its secrets cannot be decrypted. A call repeated with the same `Idempotency-Key` returns the result of the first call.",
    body: NotificationRedeliverFailed,
    response: { kind: "json", status: 202, schema: NotificationRedelivery },
    errors: ["not_found"],
    replayedBy: "notification_deliveries.redeliver_failed",
    example: { since: "2026-11-21T02:00:00Z", channel_id: "nch_9sQf2LwYb7Rk4TzXc0Nd" },
  }),
] as const;
