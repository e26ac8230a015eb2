import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { chainsOf } from "../../find/chain.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { gather } from "../../gather.ts";
import { renderDetails } from "../../output/details.ts";
import { chainColumns, tasksIn } from "../../views/chain.ts";
import { ownRunColumns } from "../../views/run.ts";
import { byNextRun, ownScheduleColumns } from "../../views/schedule.ts";
import { notifiedText } from "../../views/notified.ts";
import { taskDetails } from "../../views/task.ts";
import { triggersOfTaskColumns } from "../../views/trigger.ts";
import { ownWatcherColumns } from "../../views/watcher.ts";

export const command = defineCommand({
  arguments: [argument.task],
  examples: [
    ['belfry task show "Nightly backup"', "show a task by its name"],
    ["belfry task show Backups/nightly --json", "print only the task as JSON, without schedules and runs"],
  ],
  run: async ({ connect, args: [name], host, out }) => {
    const client = await connect();
    const task = await findTask(client, name);
    if (out.json) return out.answer(task, () => "");
    const [{ schedules }, chains, { filesystem_watchers: watchers }, triggers, { runs }, notified] = await Promise.all([
      client.schedules.list({ task_id: task.id }),
      chainsOf(client, task.id),
      client.watchers.list({ target_task_id: task.id }),
      gather(client.triggers.list({ target_task_id: task.id })),
      client.runs.list({ task_id: task.id, limit: 5 }),
      notifiedText(client, task.id),
    ]);
    const nameOf = await disambiguateTasks(client, tasksIn(chains), out);
    const nowMs = host.now();
    out.write(renderDetails(taskDetails({ task, schedules, notified }, nowMs)));
    if (schedules.length > 0)
      out.write(`\n${out.table(ownScheduleColumns(nowMs), schedules.toSorted(byNextRun(nowMs)))}`);
    if (chains.length > 0) out.write(`\n${out.table(chainColumns(nameOf), chains)}`);
    if (watchers.length > 0) out.write(`\n${out.table(ownWatcherColumns, watchers)}`);
    if (triggers.length > 0) out.write(`\n${out.table(triggersOfTaskColumns, triggers)}`);
    if (runs.length > 0) out.write(`\n${out.table(ownRunColumns, runs)}`);
  },
});
