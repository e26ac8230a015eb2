import type { deliveryOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { Channels } from "../channels/index.ts";
import type { DeliveryFact } from "./facts.ts";
import type { Redeliveries } from "./redeliveries.ts";
import type { Deliveries } from "./service.ts";
import { viewDelivery } from "./view.ts";

export interface DeliveryOperationDeps {
  readonly channels: Channels;
  readonly deliveries: Deliveries;
  readonly redeliveries: Redeliveries;
}

export function serveDeliveries({
  channels,
  deliveries,
  redeliveries,
}: DeliveryOperationDeps): OperationsOf<typeof deliveryOperations, DeliveryFact> {
  return {
    "notification_channels.test": {
      handle: (unit, { params }) => viewDelivery(deliveries.test(unit, channels.get(params.id))),
    },
    "notification_deliveries.list": {
      handle: ({ query }) => {
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
    },
    "notification_deliveries.get": { handle: ({ params }) => viewDelivery(deliveries.get(params.id)) },
    "notification_deliveries.redeliver": {
      handle: (unit, { params }) => viewDelivery(deliveries.redeliver(unit, params.id)),
    },
    "notification_deliveries.redeliver_failed": {
      handle: (unit, { body }) => redeliveries.redeliverFailed(unit, body),
      replay: (_call, id) => redeliveries.get(id),
    },
  };
}
