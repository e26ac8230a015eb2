import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findSchedule } from "../../find/schedule.ts";
import { renderDetails } from "../../output/details.ts";
import { scheduleDetails } from "../../views/schedule.ts";

export const command = defineCommand({
  arguments: [argument.schedule],
  examples: [['belfry schedule show "Nightly backup"', "show the only schedule of a task"]],
  run: async ({ connect, args: [typed], host, out }) => {
    const schedule = await findSchedule(await connect(), typed);
    out.answer(schedule, () => renderDetails(scheduleDetails(schedule, host.now())));
  },
});
