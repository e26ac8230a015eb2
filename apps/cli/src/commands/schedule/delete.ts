import { argument } from "../../arguments.ts";
import { findSchedule } from "../../find/schedule.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "schedule",
  argument: argument.schedule,
  find: findSchedule,
  act: (client, schedule) => client.schedules.delete(schedule.id),
  done: "Deleted",
  examples: [['belfry schedule delete "Nightly backup"', "delete the only schedule of a task"]],
});
