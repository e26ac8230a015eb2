import { nameKey, requireFreeName } from "../../kernel/names.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";

export type NameColumns = Pick<ScheduleRow, "name" | "nameKey">;

/** Names of schedules, unique within their task. */
export function createNames(store: ScheduleStore) {
  const choose = (taskId: string, defaultName: string): NameColumns => {
    for (let number = 1; ; number++) {
      const name = number === 1 ? defaultName : `${defaultName} (${number})`;
      const key = nameKey(name);
      if (store.findByName(taskId, key) === undefined) return { name, nameKey: key };
    }
  };

  return {
    /** Checks a given name; throws if another schedule of the task has it. */
    check: (row: Pick<ScheduleRow, "id" | "taskId">, name: string): NameColumns => {
      const find = (key: string) => store.findByName(row.taskId, key);
      return requireFreeName(name, { kind: "a schedule", find, place: "for this task" }, { id: row.id });
    },
    /**
     * Chooses a default name. A name that is taken gets a number: the second `0 3 * * *` of a task is `0 3 * * * (2)`.
     */
    choose,
    /** Chooses the default name of other times for a schedule that has the default name of its present times. */
    follow: (
      { taskId, name }: Pick<ScheduleRow, "taskId" | "name">,
      { from, to }: { readonly from: string; readonly to: string },
    ): Partial<NameColumns> => {
      const isDefault = name === from || (name.startsWith(`${from} (`) && /^ \(\d+\)$/.test(name.slice(from.length)));
      return isDefault && from !== to ? choose(taskId, to) : {};
    },
  };
}
