import { argument } from "../../arguments.ts";
import { findSchedule } from "../../find/schedule.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "schedule",
  argument: argument.schedule,
  find: findSchedule,
  act: (client, schedule) => client.schedules.enable(schedule.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [['belfry schedule enable "Nightly backup"', "allow scheduled runs again"]],
});
