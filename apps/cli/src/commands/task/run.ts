import type { Run } from "@belfry/client";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { warnOfFullDisk } from "../../doctor/data-dir-checks.ts";
import { usage } from "../../failure.ts";
import { explainRefusedRun } from "../../find/hold.ts";
import { findTask } from "../../find/task.ts";
import { readTime } from "../../input/time.ts";
import { text } from "../../options.ts";
import { formatLocal } from "../../output/time.ts";
import { followOptions, followRun } from "../../runs/follow-run.ts";

export const command = defineCommand({
  arguments: [argument.task],
  options: { ...followOptions, at: text("--at <time>", "start at this time (default now)") },
  details: "Ctrl-C stops --wait and --follow, but does not cancel the run.",
  examples: [
    ['belfry task run "Nightly backup"', "start a run and return immediately"],
    ['belfry task run "Nightly backup" --follow', "start a run and follow its output"],
    ['belfry task run "Nightly backup" --wait && notify-send done', "wait for the run in a script"],
  ],
  run: async ({ connect, connectLocal, args: [name], options, host, out }) => {
    if (options.at !== undefined && (options.wait ?? options.follow) !== undefined)
      throw usage("--at cannot be combined with --wait or --follow, because the run starts later");
    const scheduled_for =
      options.at === undefined
        ? null
        : readTime(options.at, {
            nowMs: host.now(),
            direction: "future",
            option: "--at",
            note: (remark) => out.note(remark),
          });
    const client = await connect();
    const task = await findTask(client, name);
    const run = await client.tasks.run(task.id, { scheduled_for }).catch(async (error: unknown) => {
      throw await explainRefusedRun(client, task.id, error);
    });
    return followRun({
      client,
      run,
      out,
      host,
      options,
      warning: async () => warnOfFullDisk(await connectLocal()),
      describe: () => out.hint(describeStarted(run, scheduled_for)),
    });
  },
});

function describeStarted(run: Run, scheduledFor: string | null): string {
  if (scheduledFor !== null)
    return `Task ${JSON.stringify(run.task_name)} will run at ${formatLocal(scheduledFor)} (${run.id})`;
  return `Queued a run of task ${JSON.stringify(run.task_name)} (${run.id}). Follow it with: belfry run logs -f ${run.id}`;
}
