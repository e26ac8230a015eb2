import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { readTiming } from "../../definitions/timing.ts";
import { scheduleOptions, timingsToAdd } from "../../definitions/timing-options.ts";
import { usage } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { nextRunText } from "../../views/schedule.ts";

export const command = defineCommand({
  arguments: [argument.task],
  options: {
    ...timingsToAdd,
    name: text("--name <name>", 'schedule name (default: its expression, for example "0 3 * * *")'),
    ...scheduleOptions,
    disabled: flag("--disabled", "add the schedule disabled"),
  },
  examples: [
    ['belfry schedule add "Nightly backup" --cron "0 3 * * 1-5" --tz Europe/Berlin', "run at 03:00 on weekdays"],
    ["belfry schedule add Heartbeat --every 30s --jitter 5s", "run every 30 seconds, plus a random delay"],
    ['belfry schedule add "Send report" --at "2026-12-01 08:00"', "run once"],
    ["belfry schedule add Cleanup --boot", "run after each boot"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const timing = readTiming(options, { nowMs: host.now(), note: (remark) => out.note(remark) });
    if (timing === null)
      throw usage(
        "missing schedule. Use --cron, --every, --at or --boot",
        "See the options with: belfry help schedule add",
      );
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
      () =>
        `Added a schedule to task ${JSON.stringify(task.name)} (${schedule.id}): ${nextRunText(schedule, host.now())}`,
    );
  },
});
