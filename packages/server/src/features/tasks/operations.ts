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
      handle: ({ query }) => {
        const filters = {
          groupId: query.group_id,
          enabled: query.enabled,
          ...readLabelFilter(query.label),
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "tasks.list",
          query,
          find: (page) => tasks.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { tasks: rows.map(tasks.view), next_cursor };
      },
    },
    "tasks.create": { handle: (unit, { body }) => tasks.view(tasks.create(unit, body)) },
    "tasks.get": { handle: ({ params }) => tasks.view(tasks.get(params.id)) },
    "tasks.update": { handle: (unit, { params, body }) => tasks.view(tasks.update(unit, params.id, body)) },
    "tasks.delete": { handle: (unit, { params }) => tasks.remove(unit, params.id) },
    "tasks.enable": { handle: (unit, { params }) => tasks.view(tasks.setEnabled(unit, params.id, true)) },
    "tasks.disable": { handle: (unit, { params }) => tasks.view(tasks.setEnabled(unit, params.id, false)) },
    "tasks.archive": { handle: (unit, { params }) => tasks.view(tasks.archive(unit, params.id)) },
    "tasks.restore": { handle: (unit, { params }) => tasks.view(tasks.restore(unit, params.id)) },
    "tasks.environment": {
      handle: ({ params }) => ({ environment: { ...tasks.ownEnvironmentOf(tasks.get(params.id)) } }),
    },
    "tasks.standard_input": {
      handle: ({ params }) => ({ standard_input: tasks.standardInputOf(tasks.get(params.id)) }),
    },
  };
}
