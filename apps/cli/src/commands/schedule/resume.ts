import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findSchedule } from "../../find/schedule.ts";
import { nextRunText } from "../../views/schedule.ts";

export const command = defineCommand({
  arguments: [argument.schedule],
  examples: [['belfry schedule resume "Nightly backup"', "resume the schedule now"]],
  run: async ({ connect, args: [typed], host, out }) => {
    const client = await connect();
    const { id } = await findSchedule(client, typed);
    const schedule = await client.schedules.resume(id);
    out.answer(
      schedule,
      () =>
        `Resumed schedule ${JSON.stringify(schedule.name)} of task ${JSON.stringify(schedule.task_name)}: ${nextRunText(schedule, host.now())}`,
    );
  },
});
