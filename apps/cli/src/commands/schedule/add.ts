import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { readTiming } from "../../definitions/timing.ts";
import { scheduleOptions, timingOptions } from "../../definitions/timing-options.ts";
import { usage } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { nextRunText } from "../../views/schedule.ts";

export const command = defineCommand({
  arguments: [argument.task],
  options: {
    ...timingOptions,
    name: text("--name <name>", "what to call it (its own words, such as 0 3 * * *)"),
    ...scheduleOptions,
    disabled: flag("--disabled", "add it switched off"),
  },
  examples: [
    ['belfry schedule add "Nightly backup" --cron "0 3 * * 1-5" --tz Europe/Berlin', "at three on working days"],
    ["belfry schedule add Heartbeat --every 30s --jitter 5s", "not all at the same moment"],
    ['belfry schedule add "Send report" --at "2026-12-01 08:00"', "once"],
    ["belfry schedule add Cleanup --boot", "after each start of the machine"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const timing = readTiming(options, host.now());
    if (timing === null) throw usage("when? Give --cron, --every, --at or --boot", "belfry help schedule add");
    const client = await connect();
    const task = await findTask(client, typed);
    const schedule = await client.schedules.create({
      task_id: task.id,
      enabled: options.disabled !== true,
      ...withoutUndefined({ name: options.name }),
      ...timing,
    });
    out.answer(
      schedule,
      () => `Added a schedule of ${JSON.stringify(task.name)} (${schedule.id}): ${nextRunText(schedule, host.now())}`,
    );
  },
});
