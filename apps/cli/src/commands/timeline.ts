import { defineCommand } from "../command.ts";
import { findGroup } from "../find/group.ts";
import { findTask } from "../find/task.ts";
import { readTime } from "../input/time.ts";
import { integer, text } from "../options.ts";
import { asWritten } from "../output/hints.ts";
import { columnsOf } from "../output/terminal.ts";
import { drawTimeline, plotColumns } from "../views/timeline.ts";
import { withoutUndefined } from "../without-undefined.ts";

const halfDayMs = 12 * 3_600_000;
const rowsDefault = 100;
const rowsMax = 200;
const bucketsMax = 500;

export const command = defineCommand({
  options: {
    from: text("--from <time>", "start of the period (default 12 hours ago)"),
    until: text("--until <time>", "end of the period, at most 31 days later (default in 12 hours)"),
    task: text("--task <task>", "only this task"),
    group: text("--group <group>", "only tasks in this group and its subgroups"),
    limit: integer("-n, --limit <n>", `maximum number of tasks to show (default ${rowsDefault})`, {
      min: 1,
      max: rowsMax,
    }),
  },
  details:
    "Each task has one line. A character stands for an equal part of the period, and shows the worst of the runs in it, or that a run is scheduled.",
  examples: [
    ["belfry timeline", "show what ran and what will run around now"],
    ["belfry timeline --group Backups --from 3d", "show the last three days of a group"],
    ['belfry timeline --task "Nightly backup" --from 30d --until now', "show a month of a task"],
  ],
  run: async ({ connect, options, host, out }) => {
    const nowMs = host.now();
    const read = (time: string | undefined, option: "--from" | "--until", atMs: number) =>
      time === undefined
        ? new Date(atMs).toISOString()
        : readTime(time, { nowMs, direction: option === "--from" ? "past" : "future", option });
    const client = await connect();
    const columns = columnsOf(host.stdout);
    const timeline = await client.timeline.get({
      from: read(options.from, "--from", nowMs - halfDayMs),
      until: read(options.until, "--until", nowMs + halfDayMs),
      buckets: Math.min(plotColumns(columns), bucketsMax),
      ...withoutUndefined({
        task_ids: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
        group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
        limit: options.limit,
      }),
    });
    out.answer(timeline, () =>
      timeline.rows.length === 0 ? "No tasks match" : drawTimeline(timeline, { columns, paint: out.paint }),
    );
    for (const { name, unplanned } of timeline.rows)
      for (const { reason } of unplanned) out.note(`${asWritten(name)}: ${reason}`);
    if (timeline.next_cursor !== null)
      out.note(`Showing the first ${timeline.rows.length} tasks. Raise --limit, or choose a --group`);
  },
});
