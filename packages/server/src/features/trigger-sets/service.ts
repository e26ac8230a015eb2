import type { TriggerSet, TriggerSetCreate, TriggerSetPatch, TriggerSetSecrets } from "@belfry/contract";
import { changedMembers } from "../../kernel/storage/change.ts";
import { invalid, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskDeleted, Tasks } from "../tasks/index.ts";
import { type FindTarget, findTargets, type Members, type TriggerDeleted, type Triggers } from "../triggers/index.ts";
import type { TriggerSetFact } from "./facts.ts";
import { memberNames } from "./member-names.ts";
import type { TriggerSetFilters, TriggerSetStore } from "./store.ts";
import type { TriggerSetRow } from "./table.ts";
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
    if (row === undefined) throw notFound("Trigger Set", id);
    return row;
  };
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
    /** For a repeated creation. */
    requireFirstKeys: (id: string): void => triggers.requireFirstKey(members.list(id)),

    create: (unit: Unit<TriggerSetFact>, input: TriggerSetCreate): TriggerSetRow => {
      const id = newId("set");
      const target = tasks.get(input.target_task_id, "target_task_id");
      const row: TriggerSetRow = {
        id,
        name: input.name,
        nameKey: checkName(input.name, null),
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
      if (patch.name !== undefined) Object.assign(change, { name: patch.name, nameKey: checkName(patch.name, id) });
      if (patch.target_task_id !== undefined) {
        const target = tasks.get(patch.target_task_id, "target_task_id");
        if (target.id !== row.targetTaskId) {
          Object.assign(change, { targetTaskId: target.id, targetTaskName: target.name });
          members.retarget(unit, id, target);
        }
      }
      return applyChange(unit, row, { change, changed: changedMembers(row, change) });
    },

    remove: (unit: Unit<TriggerSetFact>, id: string): void => {
      const { name: setName } = get(id);
      const memberCount = members.list(id).length;
      members.removeAll(id);
      store.remove(id);
      unit.record({ name: "trigger_set.deleted", setId: id, setName, memberCount });
    },

    setEnabled: (unit: Unit<TriggerSetFact>, id: string, enabled: boolean): TriggerSetRow => {
      const row = get(id);
      const isChange = members.setEnabled(unit, id, enabled);
      return applyChange(unit, row, { change: {}, changed: isChange ? ["enabled"] : [] });
    },

    rotate: (unit: Unit<TriggerSetFact>, id: string): TriggerSetRow => {
      const row = get(id);
      members.rotate(unit, id);
      return applyChange(unit, row, { change: {}, changed: ["keys"] });
    },

    /** The event of a deleted trigger has only its id, so the set has an event of its own. */
    onTriggerDeleted: (unit: Unit<TriggerSetFact>, { setId }: TriggerDeleted): void => {
      if (setId !== null) applyChange(unit, get(setId), { change: {}, changed: ["members"] });
    },

    /** The sets stay, and remember what their task was called. */
    onTaskDeleted: (_unit: Unit, fact: TaskDeleted): void => store.keepTargetName(fact.taskId, fact.taskName),
  };

  function checkName(name: string, own: string | null): string {
    const key = nameKey(name);
    const other = store.findByName(key);
    if (other !== undefined && other.id !== own)
      throw invalid("name", `a Trigger Set named ${JSON.stringify(name)} exists already`);
    return key;
  }

  function applyChange(
    unit: Unit<TriggerSetFact>,
    row: TriggerSetRow,
    { change, changed }: { readonly change: Partial<TriggerSetRow>; readonly changed: readonly string[] },
  ): TriggerSetRow {
    if (changed.length === 0) return row;
    const next = { ...row, ...change, updatedAt: unit.now, revision: row.revision + 1 };
    store.update(row.id, { ...change, updatedAt: next.updatedAt, revision: next.revision });
    const memberCount = members.list(row.id).length;
    unit.record({ name: "trigger_set.updated", setId: row.id, setName: next.name, memberCount, changed });
    return next;
  }
}
