import { argument } from "../../arguments.ts";
import { findSchedule } from "../../find/schedule.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.schedule,
  find: findSchedule,
  act: (client, schedule) => client.schedules.enable(schedule.id),
  done: (schedule) => `Enabled the schedule ${JSON.stringify(schedule.name)}`,
  examples: [['belfry schedule enable "Nightly backup"', "let it fall due again"]],
});
