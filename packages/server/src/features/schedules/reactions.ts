import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskDeleted } from "../tasks/index.ts";
import type { ScheduleFact } from "./facts.ts";
import type { Schedules } from "./service.ts";

interface Changed {
  readonly changed: readonly string[];
}

export function createScheduleReactions(schedules: Schedules) {
  return {
    /** Deletes the schedules of a deleted task. */
    onTaskDeleted: (unit: Unit<ScheduleFact>, fact: TaskDeleted): void => {
      for (const row of schedules.listOfTask(fact.taskId)) schedules.remove(unit, row.id);
    },
    /** Plans the schedules of a moved task again, because its new group may have another time zone. */
    onTaskUpdated: (unit: Unit<ScheduleFact>, fact: Changed & { readonly taskId: string }): void => {
      if (!fact.changed.includes("group_id")) return;
      for (const row of schedules.listOfTask(fact.taskId)) {
        if (row.kind === "cron" && row.timeZone === null) schedules.replan(unit, row);
      }
    },
    onGroupUpdated: (unit: Unit<ScheduleFact>, fact: Changed): void => {
      if (!fact.changed.some((member) => member === "time_zone" || member === "parent_id")) return;
      for (const row of schedules.listInheriting()) schedules.replan(unit, row);
    },
  };
}
