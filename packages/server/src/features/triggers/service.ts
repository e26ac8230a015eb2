import type { Trigger, TriggerCreate, TriggerPatch, TriggerSecret } from "@belfry/contract";
import { AppError, notFound } from "../../kernel/errors/errors.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type FindTarget, findTargets, type TaskDeleted, type Tasks } from "../tasks/index.ts";
import type { TriggerFact } from "./facts.ts";
import type { Keys } from "./keys.ts";
import { firstKey, newTrigger } from "./new-trigger.ts";
import type { TriggerFilters, TriggerStore } from "./store.ts";
import { triggerMembers, type TriggerRow } from "./table.ts";
import { viewTrigger } from "./view.ts";

export interface TriggerDeps {
  readonly store: TriggerStore;
  readonly tasks: Tasks;
  readonly keys: Keys;
  /** The command that fires a trigger with a key. */
  readonly command: string;
  /** Returns the name of a trigger set, from a module that imports this one. */
  readonly setNameOf: (setId: string) => string;
}

export type Triggers = ReturnType<typeof createTriggers>;

export function createTriggers(deps: TriggerDeps) {
  const { store, tasks, keys } = deps;

  const get = (id: string): TriggerRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("trigger", id);
    return row;
  };
  const freeName = (name: string, id: string | null) =>
    requireFreeName(name, { kind: "a trigger", find: store.findByName }, { id });
  const { revise } = createRevise<TriggerRow, TriggerFact>({
    members: triggerMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: triggerId }, changed) => ({ name: "trigger.updated", triggerId, changed }),
  });
  const view = (row: TriggerRow, targetOf: FindTarget = findTargets(tasks)): Trigger => {
    const target = targetOf(row.targetTaskId);
    return viewTrigger(row, {
      setName: row.setId === null ? null : deps.setNameOf(row.setId),
      targetName: target.name ?? row.targetTaskName,
      reason: row.enabled ? target.reason : "trigger_disabled",
    });
  };

  return {
    get,
    find: store.find,
    list: (filters: TriggerFilters, page: Page) => store.list(filters, page),
    view,
    viewSecret: (row: TriggerRow): TriggerSecret => ({
      trigger: view(row),
      key: keys.open(row),
      command: deps.command,
    }),
    /** Rejects a repeated creation if the key was rotated since. */
    requireFirstKey: (rows: readonly TriggerRow[]): void => {
      const rotated = rows.find((row) => row.keyNumber !== firstKey);
      if (rotated === undefined) return;
      throw new AppError(
        "conflict",
        `this Idempotency-Key was already used to create the trigger ${rotated.id}, and the trigger's key was rotated since: use reveal to get the current key`,
      );
    },

    create: (unit: Unit<TriggerFact>, input: TriggerCreate): TriggerRow => {
      const target = tasks.get(input.target_task_id, "target_task_id");
      freeName(input.name, null);
      const { name, enabled } = input;
      const row = newTrigger(unit, keys, { name, target, enabled, membership: null });
      store.insert(row);
      unit.record({ name: "trigger.created", triggerId: row.id });
      return row;
    },

    update: (unit: Unit<TriggerFact>, id: string, patch: TriggerPatch): TriggerRow => {
      const row = get(id);
      const change: Partial<TriggerRow> = {};
      if (patch.name !== undefined) Object.assign(change, freeName(patch.name, id));
      if (patch.target_task_id !== undefined) Object.assign(change, targetColumns(row, patch.target_task_id));
      return revise(unit, row, change);
    },

    remove: (unit: Unit<TriggerFact>, id: string): void => {
      const { setId } = get(id);
      if (setId !== null && store.listOfSet(setId).length === 1)
        throw new AppError(
          "conflict",
          `this trigger is the last member of its trigger set: delete the set ${setId} instead`,
        );
      store.remove(id);
      unit.record({ name: "trigger.deleted", triggerId: id, setId, erases: true });
    },

    setEnabled: (unit: Unit<TriggerFact>, id: string, enabled: boolean): TriggerRow =>
      revise(unit, get(id), { enabled }),

    /** Replaces the key. Hash and seal change in one statement, so that exactly one key is valid at any time. */
    rotate: (unit: Unit<TriggerFact>, id: string): TriggerRow => {
      const row = get(id);
      return revise(unit, row, { ...keys.mint(id), keyNumber: row.keyNumber + 1 });
    },

    /** Keeps the triggers of a deleted task, and stores the task's last name in them. */
    onTaskDeleted: (_unit: Unit, fact: TaskDeleted): void => store.keepTargetName(fact.taskId, fact.taskName),
  };

  function targetColumns(row: TriggerRow, taskId: string): Partial<TriggerRow> {
    const target = tasks.get(taskId, "target_task_id");
    if (target.id === row.targetTaskId) return {};
    if (row.setId === null) return { targetTaskId: target.id, targetTaskName: target.name };
    throw new AppError(
      "conflict",
      `the members of a trigger set share one task: change the task of the set ${row.setId} instead`,
      {
        field: "target_task_id",
      },
    );
  }
}
