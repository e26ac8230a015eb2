import type { triggerSetOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { findTargets, type Tasks } from "../tasks/index.ts";
import type { TriggerSetFact } from "./facts.ts";
import type { TriggerSets } from "./service.ts";

export interface TriggerSetOperationDeps {
  readonly triggerSets: TriggerSets;
  readonly tasks: Tasks;
}

export function serveTriggerSets({
  triggerSets: sets,
  tasks,
}: TriggerSetOperationDeps): OperationsOf<typeof triggerSetOperations, TriggerSetFact> {
  return {
    "trigger_sets.list": {
      handle: ({ query }) => {
        const filters = {
          targetTaskId: query.target_task_id,
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "trigger_sets.list",
          query,
          whole: true,
          find: (page) => sets.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        const targetOf = findTargets(tasks);
        return { trigger_sets: rows.map((row) => sets.view(row, targetOf)), next_cursor };
      },
    },
    "trigger_sets.create": {
      handle: (unit, { body }) => sets.viewSecrets(sets.create(unit, body)),
      replay: (_call, id) => {
        const row = sets.get(id);
        sets.requireFirstKeys(id);
        return sets.viewSecrets(row);
      },
    },
    "trigger_sets.get": { handle: ({ params }) => sets.view(sets.get(params.id)) },
    "trigger_sets.update": { handle: (unit, { params, body }) => sets.view(sets.update(unit, params.id, body)) },
    "trigger_sets.delete": { handle: (unit, { params }) => sets.remove(unit, params.id) },
    "trigger_sets.enable": { handle: (unit, { params }) => sets.view(sets.setEnabled(unit, params.id, true)) },
    "trigger_sets.disable": { handle: (unit, { params }) => sets.view(sets.setEnabled(unit, params.id, false)) },
    "trigger_sets.rotate": { handle: (unit, { params }) => sets.viewSecrets(sets.rotate(unit, params.id)) },
    "trigger_sets.reveal": { handle: ({ params }) => sets.viewSecrets(sets.get(params.id)) },
  };
}
