import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { deliveryStates, NotificationDelivery } from "./deliveries.ts";

const room = { resource: "notification_delivery", remote: true } as const;
const read = { ...room, kind: "read", method: "get", capability: "observe", audited: false } as const;

export const deliveryOperations = [
  defineOperation({
    ...read,
    id: "notification_deliveries.list",
    path: "/notification-deliveries",
    summary: "What was sent, is being sent and waits to be sent, newest first",
    description: "The newest 1,000 that came to their end are kept; what is unfinished stays until it ends.",
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
    summary: "One delivery",
    params: IdParams,
    response: { kind: "json", status: 200, schema: NotificationDelivery },
    errors: ["not_found"],
  }),
  defineOperation({
    ...room,
    id: "notification_deliveries.redeliver",
    kind: "write",
    method: "post",
    capability: "operate",
    audited: true,
    path: "/notification-deliveries/{id}/redeliver",
    summary: "Send the same event once more, as a new delivery",
    description: "It goes to where its channel leads now, with the secrets of now, under an id of its own.",
    params: IdParams,
    response: { kind: "json", status: 202, schema: NotificationDelivery },
    errors: ["not_found", "conflict"],
    replayedBy: "notification_deliveries.get",
  }),
] as const;
