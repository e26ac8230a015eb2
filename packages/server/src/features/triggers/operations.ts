import type { triggerOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { RunFact } from "../runs/index.ts";
import { findTargets, type Tasks } from "../tasks/index.ts";
import type { TriggerFact } from "./facts.ts";
import type { Fire } from "./fire.ts";
import type { Triggers } from "./service.ts";

export interface TriggerOperationDeps {
  readonly triggers: Triggers;
  readonly fire: Fire;
  readonly tasks: Tasks;
}

export function serveTriggers({
  triggers,
  fire,
  tasks,
}: TriggerOperationDeps): OperationsOf<typeof triggerOperations, TriggerFact | RunFact> {
  return {
    "triggers.list": {
      handle: ({ query }) => {
        const filters = {
          targetTaskId: query.target_task_id,
          enabled: query.enabled,
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "triggers.list",
          query,
          whole: true,
          find: (page) => triggers.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        const targetOf = findTargets(tasks);
        return { triggers: rows.map((row) => triggers.view(row, targetOf)), next_cursor };
      },
    },
    "triggers.create": {
      handle: (unit, { body }) => triggers.viewSecret(triggers.create(unit, body)),
      replay: (_call, id) => {
        const row = triggers.get(id);
        triggers.requireFirstKey([row]);
        return triggers.viewSecret(row);
      },
    },
    "triggers.fire": {
      handle: (unit, { body }) => fire.fire(unit, body.key),
      replay: ({ body }, runId) => fire.again(body.key, runId),
      concern: ({ body }) => fire.triggerOf(body.key),
    },
    "triggers.get": { handle: ({ params }) => triggers.view(triggers.get(params.id)) },
    "triggers.update": { handle: (unit, { params, body }) => triggers.view(triggers.update(unit, params.id, body)) },
    "triggers.delete": { handle: (unit, { params }) => triggers.remove(unit, params.id) },
    "triggers.enable": { handle: (unit, { params }) => triggers.view(triggers.setEnabled(unit, params.id, true)) },
    "triggers.disable": { handle: (unit, { params }) => triggers.view(triggers.setEnabled(unit, params.id, false)) },
    "triggers.rotate": { handle: (unit, { params }) => triggers.viewSecret(triggers.rotate(unit, params.id)) },
    "triggers.reveal": { handle: ({ params }) => triggers.viewSecret(triggers.get(params.id)) },
  };
}
