import type { Why } from "@belfry/client";
import { argument } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { findTask } from "../find/task.ts";
import { type NameOf, disambiguateTasks } from "../find/task-names.ts";
import { readTime } from "../input/time.ts";
import { text } from "../options.ts";
import { formatLocal, localize } from "../output/time.ts";
import { printable } from "../output/width.ts";
import { findHold } from "../find/hold.ts";
import { holdSentence, releaseCommand } from "../views/hold.ts";
import { sourceOf } from "../views/chain.ts";

export const command = defineCommand({
  arguments: [argument.task],
  options: { at: text("--at <time>", "explain why the task did or did not run at this time (default now)") },
  examples: [
    ['belfry why "Nightly backup" --at "03:00"', "explain why the task did or did not run at 03:00"],
    ['belfry why "Nightly backup"', "show whether the task can start now"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const at =
      options.at === undefined
        ? undefined
        : readTime(options.at, { nowMs: host.now(), direction: "past", option: "--at" });
    const why = await client.tasks.why(task.id, at === undefined ? {} : { at });
    const nameOf = await disambiguateTasks(client, [task, ...why.chains.map(sourceOf)], out);
    const hold = why.reason === "held" ? await findHold(client, task.group_id) : undefined;
    out.answer(why, () => describe(why, nameOf(task), nameOf));
    if (hold !== undefined) out.note(`${holdSentence(hold)}. Release with: ${releaseCommand(hold)}`);
  },
});

function describe(why: Why, taskName: string, nameOf: NameOf): string {
  const ready = why.readiness === "ready" ? "can start now" : `cannot start now (${why.reason.replaceAll("_", " ")})`;
  const lines = why.schedules.map(({ schedule_name, instant, reason, run_id }) => {
    const due = instant === null ? "" : `, ${formatLocal(instant)}`;
    return `  ${printable(schedule_name)}${due}: ${printable(localize(reason))}${run_id === null ? "" : ` (${run_id})`}`;
  });
  const chains = why.chains.map((chain) => {
    const run = chain.run_id === null ? "" : ` (${chain.run_id})`;
    return `  after ${printable(nameOf(sourceOf(chain)))}: ${printable(localize(chain.reason))}${run}`;
  });
  const watchers = why.watchers.map(({ watcher_name, reason, run_id }) => {
    const run = run_id === null ? "" : ` (${run_id})`;
    return `  watcher ${printable(watcher_name)}: ${printable(localize(reason))}${run}`;
  });
  const triggers = why.triggers.map(
    ({ trigger_name, reason, run_id }) =>
      `  trigger ${printable(trigger_name)}: ${printable(localize(reason))} (${run_id})`,
  );
  const manual =
    why.manual === null ? [] : [`  manual run: ${printable(localize(why.manual.reason))} (${why.manual.run_id})`];
  const all = [...lines, ...chains, ...watchers, ...triggers, ...manual];
  const none =
    "  The task has no schedule, and no chain or watcher starts it. It runs only when it is started manually or by a trigger.";
  return [`${printable(taskName)} ${ready}. At ${formatLocal(why.at)}:`, ...(all.length === 0 ? [none] : all)].join(
    "\n",
  );
}
