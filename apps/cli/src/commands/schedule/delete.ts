import { argument } from "../../arguments.ts";
import { findSchedule } from "../../find/schedule.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.schedule,
  find: findSchedule,
  act: (client, schedule) => client.schedules.delete(schedule.id),
  done: (schedule) => `Deleted the schedule ${JSON.stringify(schedule.name)}`,
  examples: [['belfry schedule delete "Nightly backup"', "of a task with one schedule"]],
});
