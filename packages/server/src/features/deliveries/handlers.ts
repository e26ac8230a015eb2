import type { channelOperations, deliveryOperations } from "@belfry/contract";
import type { HandlersOf, ReplaysOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { Channels } from "../channels/index.ts";
import type { DeliveryFact } from "./facts.ts";
import type { Redeliveries } from "./redeliveries.ts";
import type { Deliveries } from "./service.ts";
import { viewDelivery } from "./view.ts";

export interface DeliveryHandlerDeps {
  readonly channels: Channels;
  readonly deliveries: Deliveries;
  readonly redeliveries: Redeliveries;
}

type Handlers = HandlersOf<typeof deliveryOperations, DeliveryFact> &
  Pick<HandlersOf<typeof channelOperations, DeliveryFact>, "notification_channels.test">;

export function createDeliveryHandlers({ channels, deliveries, redeliveries }: DeliveryHandlerDeps): Handlers {
  return {
    "notification_channels.test": (unit, { params }) => viewDelivery(deliveries.test(unit, channels.get(params.id))),
    "notification_deliveries.list": ({ query }) => {
      const filters = {
        channelId: query.channel_id,
        taskId: query.task_id,
        runId: query.run_id,
        state: query.state,
      };
      const { rows, next_cursor } = readList({
        operation: "notification_deliveries.list",
        query,
        find: (page) => deliveries.list(filters, page),
        startOf: (row) => ({ at: row.createdAt, id: row.id }),
      });
      return { notification_deliveries: rows.map(viewDelivery), next_cursor };
    },
    "notification_deliveries.get": ({ params }) => viewDelivery(deliveries.get(params.id)),
    "notification_deliveries.redeliver": (unit, { params }) => viewDelivery(deliveries.redeliver(unit, params.id)),
    "notification_deliveries.redeliver_failed": (unit, { body }) => redeliveries.redeliverFailed(unit, body),
  };
}

/** How these calls are answered again when they are repeated under one `Idempotency-Key`. */
export function createDeliveryReplays({
  redeliveries,
}: Pick<DeliveryHandlerDeps, "redeliveries">): ReplaysOf<typeof deliveryOperations> {
  return { "notification_deliveries.redeliver_failed": (_call, id) => redeliveries.get(id) };
}
