import type { TriggerSet, TriggerSetCreate, TriggerSetPatch, TriggerSetSecrets } from "@belfry/contract";
import { notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type FindTarget, findTargets, type TaskDeleted, type Tasks } from "../tasks/index.ts";
import type { Members, TriggerDeleted, Triggers } from "../triggers/index.ts";
import type { TriggerSetFact } from "./facts.ts";
import { memberNames } from "./member-names.ts";
import type { TriggerSetFilters, TriggerSetStore } from "./store.ts";
import { triggerSetMembers, type TriggerSetRow } from "./table.ts";
import { viewTriggerSet } from "./view.ts";

export interface TriggerSetDeps {
  readonly store: TriggerSetStore;
  readonly tasks: Tasks;
  readonly triggers: Triggers;
  readonly members: Members;
}

export type TriggerSets = ReturnType<typeof createTriggerSets>;

export function createTriggerSets({ store, tasks, triggers, members }: TriggerSetDeps) {
  const get = (id: string): TriggerSetRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("trigger set", id);
    return row;
  };
  const freeName = (name: string, id: string | null) =>
    requireFreeName(name, { kind: "a trigger set", find: store.findByName }, { id });
  const { revise, reviseNamed } = createRevise<TriggerSetRow, TriggerSetFact>({
    members: triggerSetMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: setId, name: setName }, changed) => {
      const memberCount = members.list(setId).length;
      return { name: "trigger_set.updated", setId, setName, memberCount, changed };
    },
  });
  const view = (row: TriggerSetRow, targetOf: FindTarget = findTargets(tasks)): TriggerSet =>
    viewTriggerSet(row, {
      targetName: targetOf(row.targetTaskId).name ?? row.targetTaskName,
      members: members.list(row.id).map((member) => triggers.view(member, targetOf)),
    });

  return {
    get,
    find: store.find,
    list: (filters: TriggerSetFilters, page: Page) => store.list(filters, page),
    view,
    viewSecrets: (row: TriggerSetRow): TriggerSetSecrets => ({
      trigger_set: view(row),
      keys: members.secretsOf(row.id),
    }),
    /** Rejects a repeated creation if a key was rotated since. */
    requireFirstKeys: (id: string): void => triggers.requireFirstKey(members.list(id)),

    create: (unit: Unit<TriggerSetFact>, input: TriggerSetCreate): TriggerSetRow => {
      const id = newId("set");
      const target = tasks.get(input.target_task_id, "target_task_id");
      const row: TriggerSetRow = {
        id,
        ...freeName(input.name, null),
        targetTaskId: target.id,
        targetTaskName: target.name,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      const names = memberNames(input);
      store.insert(row);
      members.create(unit, { setId: id, target, names });
      unit.record({ name: "trigger_set.created", setId: id, setName: row.name, memberCount: names.length });
      return row;
    },

    update: (unit: Unit<TriggerSetFact>, id: string, patch: TriggerSetPatch): TriggerSetRow => {
      const row = get(id);
      const change: Partial<TriggerSetRow> = {};
      if (patch.name !== undefined) Object.assign(change, freeName(patch.name, id));
      if (patch.target_task_id !== undefined) {
        const target = tasks.get(patch.target_task_id, "target_task_id");
        if (target.id !== row.targetTaskId) {
          Object.assign(change, { targetTaskId: target.id, targetTaskName: target.name });
          members.retarget(unit, id, target);
        }
      }
      return revise(unit, row, change);
    },

    remove: (unit: Unit<TriggerSetFact>, id: string): void => {
      const { name: setName } = get(id);
      const memberCount = members.list(id).length;
      members.removeAll(id);
      store.remove(id);
      unit.record({ name: "trigger_set.deleted", setId: id, setName, memberCount, erases: true });
    },

    setEnabled: (unit: Unit<TriggerSetFact>, id: string, enabled: boolean): TriggerSetRow => {
      const row = get(id);
      const isChange = members.setEnabled(unit, id, enabled);
      return reviseNamed(unit, row, { change: {}, changed: isChange ? ["enabled"] : [] });
    },

    rotate: (unit: Unit<TriggerSetFact>, id: string): TriggerSetRow => {
      const row = get(id);
      members.rotate(unit, id);
      return reviseNamed(unit, row, { change: {}, changed: ["keys"] });
    },

    /** Records a fact of the set when a member is deleted, because the event of a deleted trigger has only its id. */
    onTriggerDeleted: (unit: Unit<TriggerSetFact>, { setId }: TriggerDeleted): void => {
      if (setId !== null) reviseNamed(unit, get(setId), { change: {}, changed: ["members"] });
    },

    /** Keeps the sets of a deleted task, and stores the task's last name in them. */
    onTaskDeleted: (_unit: Unit, fact: TaskDeleted): void => store.keepTargetName(fact.taskId, fact.taskName),
  };
}
