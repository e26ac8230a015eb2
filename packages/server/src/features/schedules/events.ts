import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { ScheduleFact } from "./facts.ts";
import type { Schedules } from "./service.ts";

export function scheduleEvents(schedules: Schedules, clock: Pick<Clock, "now">): ModuleEvents<ScheduleFact> {
  const event = resourceEvents("schedule", (id) => {
    const row = schedules.find(id);
    return row && schedules.view(row, clock.now());
  });
  return {
    kind: "schedule",
    of: {
      "schedule.created": ({ scheduleId }) => event.created(scheduleId),
      "schedule.updated": ({ scheduleId }) => event.updated(scheduleId),
      "schedule.planned": ({ scheduleId }) => event.updated(scheduleId),
      "clock.set": null,
      "schedule.deleted": ({ scheduleId }) => event.deleted(scheduleId),
    },
  };
}
