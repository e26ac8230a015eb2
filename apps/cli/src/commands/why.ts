import type { Task, Why } from "@belfry/client";
import { argument } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { findTask } from "../find/task.ts";
import { type NameOf, disambiguateTasks } from "../find/task-names.ts";
import { readTime } from "../input/time.ts";
import { text } from "../options.ts";
import { formatLocal, localize } from "../output/time.ts";
import { printable } from "../output/width.ts";
import { findHold } from "../find/hold.ts";
import { holdHint } from "../views/hold.ts";
import { sourceOf } from "../views/chain.ts";
import { idleSchedules, presentText, startAgainText } from "../views/idle-schedules.ts";

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
    out.answer(why, () => describe(why, `${printable(nameOf(task))} ${readinessText(why)}`, nameOf));
    for (const schedule of idleSchedules(why)) out.note(startAgainText(schedule));
    if (options.at === undefined && task.last_run !== null && hasOutput(task.last_run))
      out.note(`Read the output of the failed run with: belfry run logs ${task.last_run.id}`);
    if (hold !== undefined) out.note(holdHint(hold));
  },
});

/** A program that failed to start wrote nothing. */
function hasOutput({ outcome, started_at, reason }: NonNullable<Task["last_run"]>): boolean {
  return outcome === "failure" && started_at !== null && reason !== "spawn_error";
}

const newRunTexts: Readonly<Record<NonNullable<Why["limit"]>["new_run"], string>> = {
  queue: "would wait",
  skip: "would be skipped",
  replace: "would replace the oldest",
};

/** An older daemon does not report a limit. */
function limitOf({ limit = null }: Partial<Pick<Why, "limit">>): Why["limit"] {
  return limit;
}

function readinessText(why: Why): string {
  const { readiness, reason, schedules } = why;
  if (readiness !== "ready") return `cannot start now (${reason.replaceAll("_", " ")})`;
  const limit = limitOf(why);
  if (limit !== null) return `is ready, but a new run ${newRunTexts[limit.new_run]}: ${printable(limit.text)}`;
  const isIdle = schedules.length > 0 && schedules.length === idleSchedules(why).length;
  return isIdle ? "can start now, but no schedule starts it" : "can start now";
}

function describe(why: Why, state: string, nameOf: NameOf): string {
  const lines = why.schedules.map(({ schedule_name, instant, reason, run_id }) => {
    const due = instant === null ? "" : `, ${formatLocal(instant)}`;
    // as it is, because the user can type it
    return `  ${printable(schedule_name)}${due}: ${printable(localize(reason))}${run_id === null ? "" : ` (${run_id})`}`;
  });
  const idle = idleSchedules(why).map((schedule) => `  ${presentText(schedule)}`);
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
  const all = [...lines, ...idle, ...chains, ...watchers, ...triggers, ...manual];
  const none =
    "  The task has no schedule, and no chain or watcher starts it. It runs only when it is started manually or by a trigger.";
  return [`${state}. At ${formatLocal(why.at)}:`, ...(all.length === 0 ? [none] : all)].join("\n");
}
