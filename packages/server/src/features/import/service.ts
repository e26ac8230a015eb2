import type { ImportRequest, ImportResult } from "@belfry/contract";
import { invalid, DryRunRollback, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { GroupFact, Groups } from "../groups/index.ts";
import type { ScheduleFact, Schedules } from "../schedules/index.ts";
import type { TaskFact, Tasks } from "../tasks/index.ts";
import { createKeys, within } from "./keys.ts";
import { parentsFirst } from "./parents-first.ts";
import type { ImportStore } from "./store.ts";

export type ImportFact = GroupFact | TaskFact | ScheduleFact;

export interface ImportDeps {
  readonly store: ImportStore;
  readonly groups: Groups;
  readonly tasks: Tasks;
  readonly schedules: Schedules;
}

export type Imports = ReturnType<typeof createImports>;

/** Imports the whole file in the caller's transaction: an error in the last item undoes the first. */
export function createImports({ store, groups, tasks, schedules }: ImportDeps) {
  return {
    create: (unit: Unit<ImportFact>, request: ImportRequest): ImportResult => {
      const groupKeys = createKeys("group");
      const taskKeys = createKeys("task");
      const scheduleKeys = createKeys("schedule");
      const result: ImportResult = {
        id: newId("imp"),
        dry_run: request.dry_run,
        groups: parentsFirst(request.groups).map(({ group, place }) => within(place, () => makeGroup(group))),
        tasks: request.tasks.map((task, index) => within(`tasks.${index}`, () => makeTask(task))),
        schedules: request.schedules.map((schedule, index) =>
          within(`schedules.${index}`, () => makeSchedule(schedule)),
        ),
      };
      if (request.dry_run) throw new DryRunRollback(result);
      store.insert({ id: result.id, result, createdAt: unit.now });
      return result;

      function makeGroup({ key, parent_key: parentKey, ...input }: ImportRequest["groups"][number]) {
        if (parentKey !== null && input.parent_id !== null)
          throw invalid("parent_key", "parent_key must not be given together with parent_id: give one of them");
        const row = groups.create(unit, {
          ...input,
          parent_id: parentKey === null ? input.parent_id : groupKeys.get(parentKey, "parent_key"),
        });
        groupKeys.set(key, row.id, "key");
        return { key, id: row.id, name: row.name };
      }
      function makeTask({ key, group_key: groupKey, ...input }: ImportRequest["tasks"][number]) {
        if (groupKey !== null && input.group_id !== null)
          throw invalid("group_key", "group_key must not be given together with group_id: give one of them");
        const row = tasks.create(unit, {
          ...input,
          group_id: groupKey === null ? input.group_id : groupKeys.get(groupKey, "group_key"),
        });
        taskKeys.set(key, row.id, "key");
        return { key, id: row.id, name: row.name };
      }
      function makeSchedule({ key, task_key: taskKey, ...input }: ImportRequest["schedules"][number]) {
        const row = schedules.create(unit, { ...input, task_id: taskKeys.get(taskKey, "task_key") });
        scheduleKeys.set(key, row.id, "key");
        return { key, id: row.id, name: row.name };
      }
    },

    get: (id: string): ImportResult => {
      const row = store.find(id);
      if (row === undefined) throw notFound("import", id);
      return row.result;
    },
  };
}
