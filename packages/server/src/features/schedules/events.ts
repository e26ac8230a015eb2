import type { ModuleEvents } from "../../kernel/module.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { ScheduleFact } from "./facts.ts";
import type { Schedules } from "./service.ts";

export function scheduleEvents(schedules: Schedules, clock: Pick<Clock, "now">): ModuleEvents<ScheduleFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ scheduleId: id }: { readonly scheduleId: string }) => {
      const row = schedules.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "schedule", verb, id } as const) : null;
      return { kind: "schedule", verb, id, schedule: schedules.view(row, clock.now()) } as const;
    };
  return {
    kind: "schedule",
    of: {
      "schedule.created": event("created"),
      "schedule.updated": event("updated"),
      "schedule.planned": event("updated"),
      "schedule.deleted": event("deleted"),
    },
  };
}
