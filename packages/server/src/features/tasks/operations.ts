import type { taskOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { TaskFact } from "./facts.ts";
import { readLabelFilter } from "./label-filter.ts";
import type { Tasks } from "./service.ts";

export function serveTasks(tasks: Tasks): OperationsOf<typeof taskOperations, TaskFact> {
  return {
    "tasks.list": {
      handle: ({ query, actor, now }) => {
        const filters = {
          groupId: query.group_id,
          isGrouped: query.grouped === true || undefined,
          isUngrouped: query.grouped === false || undefined,
          enabled: query.enabled,
          ...(query.overdue === undefined ? {} : query.overdue ? { overdueAt: now } : { onTimeAt: now }),
          ...readLabelFilter(query.label),
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "tasks.list",
          query,
          find: (page) => tasks.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { tasks: tasks.viewAll(rows, actor, query.recent), next_cursor };
      },
    },
    "tasks.create": { handle: (unit, { body, actor }) => tasks.view(tasks.create(unit, body), actor) },
    "tasks.get": { handle: ({ params, actor }) => tasks.view(tasks.get(params.id), actor) },
    "tasks.update": {
      handle: (unit, { params, body, actor }) => tasks.view(tasks.update(unit, params.id, body), actor),
    },
    "tasks.delete": { handle: (unit, { params }) => tasks.remove(unit, params.id) },
    "tasks.enable": { handle: (unit, { params, actor }) => tasks.view(tasks.setEnabled(unit, params.id, true), actor) },
    "tasks.disable": {
      handle: (unit, { params, actor }) => tasks.view(tasks.setEnabled(unit, params.id, false), actor),
    },
    "tasks.archive": { handle: (unit, { params, actor }) => tasks.view(tasks.archive(unit, params.id), actor) },
    "tasks.restore": { handle: (unit, { params, actor }) => tasks.view(tasks.restore(unit, params.id), actor) },
    "tasks.environment": {
      handle: ({ params }) => ({ environment: { ...tasks.ownEnvironmentOf(tasks.get(params.id)) } }),
    },
    "tasks.standard_input": {
      handle: ({ params }) => ({ standard_input: tasks.standardInputOf(tasks.get(params.id)) }),
    },
  };
}
