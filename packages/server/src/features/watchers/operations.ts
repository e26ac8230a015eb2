import type { watcherOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { findTargets, type Tasks } from "../tasks/index.ts";
import type { WatcherFact } from "./facts.ts";
import type { Watchers } from "./service.ts";

export interface WatcherOperationDeps {
  readonly watchers: Watchers;
  readonly tasks: Tasks;
}

export function serveWatchers({
  watchers,
  tasks,
}: WatcherOperationDeps): OperationsOf<typeof watcherOperations, WatcherFact> {
  return {
    "watchers.list": {
      handle: ({ query, actor }) => {
        const filters = {
          targetTaskId: query.target_task_id,
          enabled: query.enabled,
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "watchers.list",
          query,
          whole: true,
          find: (page) => watchers.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        const targetOf = findTargets(tasks);
        return { filesystem_watchers: rows.map((row) => watchers.view(row, actor, targetOf)), next_cursor };
      },
    },
    "watchers.create": { handle: (unit, { body, actor }) => watchers.view(watchers.create(unit, body), actor) },
    "watchers.get": { handle: ({ params, actor }) => watchers.view(watchers.get(params.id), actor) },
    "watchers.update": {
      handle: (unit, { params, body, actor }) => watchers.view(watchers.update(unit, params.id, body), actor),
    },
    "watchers.delete": { handle: (unit, { params }) => watchers.remove(unit, params.id) },
    "watchers.enable": {
      handle: (unit, { params, actor }) => watchers.view(watchers.setEnabled(unit, params.id, true), actor),
    },
    "watchers.disable": {
      handle: (unit, { params, actor }) => watchers.view(watchers.setEnabled(unit, params.id, false), actor),
    },
  };
}
