import type { triggerOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { ConcernsOf, HandlersOf, ReplaysOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { RunFact } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import type { TriggerFact } from "./facts.ts";
import type { Fire } from "./fire.ts";
import type { Triggers } from "./service.ts";
import { findTargets } from "./targets.ts";

export interface TriggerHandlerDeps {
  readonly triggers: Triggers;
  readonly fire: Fire;
  readonly tasks: Tasks;
}

export function createTriggerHandlers({
  triggers,
  fire,
  tasks,
}: TriggerHandlerDeps): HandlersOf<typeof triggerOperations, TriggerFact | RunFact> {
  return {
    "triggers.list": ({ query }) => {
      const filters = {
        targetTaskId: query.target_task_id,
        enabled: query.enabled,
        part: query.q === undefined ? undefined : nameKey(query.q),
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
    "triggers.create": (unit, { body }) => triggers.viewSecret(triggers.create(unit, body)),
    "triggers.fire": (unit, { body }) => fire.fire(unit, body.key),
    "triggers.get": ({ params }) => triggers.view(triggers.get(params.id)),
    "triggers.update": (unit, { params, body }) => triggers.view(triggers.update(unit, params.id, body)),
    "triggers.delete": (unit, { params }) => triggers.remove(unit, params.id),
    "triggers.enable": (unit, { params }) => triggers.view(triggers.setEnabled(unit, params.id, true)),
    "triggers.disable": (unit, { params }) => triggers.view(triggers.setEnabled(unit, params.id, false)),
    "triggers.rotate": (unit, { params }) => triggers.viewSecret(triggers.rotate(unit, params.id)),
    "triggers.reveal": ({ params }) => triggers.viewSecret(triggers.get(params.id)),
  };
}

/** How these calls are answered again when they are repeated under one `Idempotency-Key`. */
export function createTriggerReplays({
  triggers,
  fire,
}: Omit<TriggerHandlerDeps, "tasks">): ReplaysOf<typeof triggerOperations> {
  return {
    "triggers.create": (_call, id) => {
      const row = triggers.get(id);
      triggers.requireFirstKey([row]);
      return triggers.viewSecret(row);
    },
    "triggers.fire": ({ body }, runId) => fire.again(body.key, runId),
  };
}

export function createTriggerConcerns(fire: Fire): ConcernsOf<typeof triggerOperations> {
  return { "triggers.fire": ({ body }) => fire.triggerOf(body.key) };
}
