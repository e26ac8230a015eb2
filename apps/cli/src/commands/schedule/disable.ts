import { argument } from "../../arguments.ts";
import { findSchedule } from "../../find/schedule.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.schedule,
  find: findSchedule,
  act: (client, schedule) => client.schedules.disable(schedule.id),
  done: (schedule) => `Disabled the schedule ${JSON.stringify(schedule.name)}`,
  examples: [['belfry schedule disable "Nightly backup"', "keep it from falling due"]],
});
