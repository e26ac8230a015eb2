import type { triggerSetOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { HandlersOf, ReplaysOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { Tasks } from "../tasks/index.ts";
import { findTargets } from "../triggers/index.ts";
import type { TriggerSetFact } from "./facts.ts";
import type { TriggerSets } from "./service.ts";

export interface TriggerSetHandlerDeps {
  readonly triggerSets: TriggerSets;
  readonly tasks: Tasks;
}

export function createTriggerSetHandlers({
  triggerSets: sets,
  tasks,
}: TriggerSetHandlerDeps): HandlersOf<typeof triggerSetOperations, TriggerSetFact> {
  return {
    "trigger_sets.list": ({ query }) => {
      const filters = {
        targetTaskId: query.target_task_id,
        part: query.q === undefined ? undefined : nameKey(query.q),
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
    "trigger_sets.create": (unit, { body }) => sets.viewSecrets(sets.create(unit, body)),
    "trigger_sets.get": ({ params }) => sets.view(sets.get(params.id)),
    "trigger_sets.update": (unit, { params, body }) => sets.view(sets.update(unit, params.id, body)),
    "trigger_sets.delete": (unit, { params }) => sets.remove(unit, params.id),
    "trigger_sets.enable": (unit, { params }) => sets.view(sets.setEnabled(unit, params.id, true)),
    "trigger_sets.disable": (unit, { params }) => sets.view(sets.setEnabled(unit, params.id, false)),
    "trigger_sets.rotate": (unit, { params }) => sets.viewSecrets(sets.rotate(unit, params.id)),
    "trigger_sets.reveal": ({ params }) => sets.viewSecrets(sets.get(params.id)),
  };
}

/** How a creation is answered again when it is repeated under one `Idempotency-Key`. */
export function createTriggerSetReplays(sets: TriggerSets): ReplaysOf<typeof triggerSetOperations> {
  return {
    "trigger_sets.create": (_call, id) => {
      const row = sets.get(id);
      sets.requireFirstKeys(id);
      return sets.viewSecrets(row);
    },
  };
}
