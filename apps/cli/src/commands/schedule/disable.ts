import { argument } from "../../arguments.ts";
import { findSchedule } from "../../find/schedule.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "schedule",
  argument: argument.schedule,
  find: findSchedule,
  act: (client, schedule) => client.schedules.disable(schedule.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [['belfry schedule disable "Nightly backup"', "queue no new scheduled runs until the schedule is enabled"]],
});
