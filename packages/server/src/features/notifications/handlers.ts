import type { assignmentOperations, channelOperations, deliveryOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { HandlersOf, ReplaysOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/page.ts";
import type { Tasks } from "../tasks/index.ts";
import type { Assignments } from "./assignments.ts";
import type { Channels } from "./channels.ts";
import type { Deliveries } from "./deliveries.ts";
import type { NotificationFact } from "./facts.ts";
import type { Redeliveries } from "./redeliveries.ts";
import { viewAssignments, viewChannel, viewDelivery, viewEffective } from "./view.ts";

export interface NotificationHandlerDeps {
  readonly channels: Channels;
  readonly assignments: Assignments;
  readonly deliveries: Deliveries;
  readonly redeliveries: Redeliveries;
  readonly tasks: Tasks;
}

type Operations = readonly [...typeof channelOperations, ...typeof assignmentOperations, ...typeof deliveryOperations];

export function createNotificationHandlers(deps: NotificationHandlerDeps): HandlersOf<Operations, NotificationFact> {
  const { channels, assignments, deliveries, redeliveries, tasks } = deps;
  return {
    "notification_channels.list": ({ query }) => {
      const part = query.q === undefined ? undefined : nameKey(query.q);
      const { rows, next_cursor } = readList({
        operation: "notification_channels.list",
        query,
        whole: true,
        find: (page) => channels.list({ part }, page),
        startOf: (row) => ({ at: row.createdAt, id: row.id }),
      });
      return { notification_channels: rows.map(viewChannel), next_cursor };
    },
    "notification_channels.create": (unit, { body }) => viewChannel(channels.create(unit, body)),
    "notification_channels.get": ({ params }) => viewChannel(channels.get(params.id)),
    "notification_channels.update": (unit, { params, body }) => viewChannel(channels.update(unit, params.id, body)),
    "notification_channels.delete": (unit, { params }) => channels.remove(unit, params.id),
    "notification_channels.enable": (unit, { params }) => viewChannel(channels.setEnabled(unit, params.id, true)),
    "notification_channels.disable": (unit, { params }) => viewChannel(channels.setEnabled(unit, params.id, false)),
    "notification_channels.rotate": (unit, { params, body }) => viewChannel(channels.rotate(unit, params.id, body)),
    "notification_channels.test": (unit, { params }) => viewDelivery(deliveries.test(unit, channels.get(params.id))),

    "notification_assignments.of_task": ({ params }) => viewAssignments(assignments.get("task", params.id)),
    "notification_assignments.replace_of_task": (unit, { params, body }) =>
      viewAssignments(assignments.replace(unit, { scope: "task", id: params.id }, body)),
    "notification_assignments.effective": ({ params }) => viewEffective(assignments.effectiveOf(tasks.get(params.id))),
    "notification_assignments.of_group": ({ params }) => viewAssignments(assignments.get("group", params.id)),
    "notification_assignments.replace_of_group": (unit, { params, body }) =>
      viewAssignments(assignments.replace(unit, { scope: "group", id: params.id }, body)),

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
export function createNotificationReplays({
  redeliveries,
}: Pick<NotificationHandlerDeps, "redeliveries">): ReplaysOf<Operations> {
  return { "notification_deliveries.redeliver_failed": (_call, id) => redeliveries.get(id) };
}
