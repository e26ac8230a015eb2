import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findSchedule } from "../../find/schedule.ts";
import { readTime } from "../../input/time.ts";
import { text } from "../../options.ts";
import { formatLocal } from "../../output/time.ts";

export const command = defineCommand({
  arguments: [argument.schedule],
  options: {
    until: text(
      "--until <time>",
      "resume automatically at this time (default: stay paused until `belfry schedule resume`)",
    ),
  },
  examples: [
    ['belfry schedule pause "Nightly backup" --until "2026-12-27"', "pause over the holidays"],
    ['belfry schedule pause "Nightly backup" --until 2h', "pause for two hours"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const until =
      options.until === undefined
        ? null
        : readTime(options.until, {
            nowMs: host.now(),
            direction: "future",
            option: "--until",
            note: (remark) => out.note(remark),
          });
    const client = await connect();
    const { id } = await findSchedule(client, typed);
    const schedule = await client.schedules.pause(id, { until });
    const end = schedule.paused_until === null ? "until it is resumed" : `until ${formatLocal(schedule.paused_until)}`;
    out.answer(
      schedule,
      () => `Paused schedule ${JSON.stringify(schedule.name)} of task ${JSON.stringify(schedule.task_name)} ${end}`,
    );
  },
});
