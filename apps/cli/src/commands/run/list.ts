import type { Run } from "@belfry/client";
import { limits } from "@belfry/contract";
import { runOutcomes, runStates, runTriggers } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { usage } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { findTaskId } from "../../find/task.ts";
import { readTime } from "../../input/time.ts";
import { flag, integer, oneOf, text } from "../../options.ts";
import { runColumns } from "../../views/run.ts";

const shownDefault = 20;

export const command = defineCommand({
  options: {
    task: text("--task <task>", "only runs of this task (use the id for a deleted task)"),
    group: text("--group <group>", "only runs of tasks directly in this group"),
    state: oneOf("--state <state>", "only runs in this state", { choices: runStates }),
    outcome: oneOf("--outcome <outcome>", "filter by outcome", { choices: runOutcomes }),
    failed: flag("--failed", "short for: --outcome failure"),
    active: flag("--active", "only queued and active runs"),
    trigger: oneOf("--trigger <trigger>", "filter by what started the run", { choices: runTriggers }),
    since: text("--since <time>", 'only runs queued since this time, for example 2h, yesterday or "2026-12-01 03:00"'),
    until: text("--until <time>", "only runs queued before this time"),
    limit: integer("-n, --limit <n>", `maximum number of runs to show (default ${shownDefault})`, {
      min: 1,
      max: limits.listMax,
    }),
    all: flag("--all", "show all runs"),
    wide: flag("-w, --wide", "also show when each run started and finished"),
    cursor: text(
      "--cursor <cursor>",
      "continue after an earlier page: give the next_cursor that --json printed for it",
    ),
  },
  details:
    "Shows the runs that were queued last, sorted by SCHEDULED: the time for which a run was scheduled or requested. A late run starts after it. A missed run has no start.",
  examples: [
    ["belfry run list", "list the newest runs"],
    ["belfry run list --failed --since yesterday", "list the failures since yesterday"],
    ['belfry run list --task "Nightly backup" --all --json', "export the whole history of a task"],
  ],
  run: async ({ connect, options, host, out }) => {
    if (options.failed === true && options.outcome !== undefined)
      throw usage("--failed and --outcome cannot be combined. Use one of them");
    if (options.all === true && options.limit !== undefined)
      throw usage("--all and --limit cannot be combined. Use one of them");
    if (out.json && options.wide === true)
      throw usage("--wide cannot be combined with --json, which prints every member");
    const client = await connect();
    const read = (time: string | undefined, option: string) =>
      time === undefined ? undefined : readTime(time, { nowMs: host.now(), direction: "past", option });
    const query = withoutUndefined({
      task_id: options.task === undefined ? undefined : await findTaskId(client, options.task),
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      state: options.state,
      outcome: options.failed === true ? "failure" : options.outcome,
      ended: options.active === true ? false : undefined,
      trigger: options.trigger,
      since: read(options.since, "--since"),
      until: read(options.until, "--until"),
      cursor: options.cursor,
    });
    const isWhole = options.all === true;
    const page = await client.runs.list({
      ...query,
      limit: options.limit ?? (isWhole ? limits.listMax : shownDefault),
    });
    const empty =
      Object.keys(query).length === 0 ? "No runs yet. Start a task with: belfry task run <task>" : "No runs match";
    await out.list(page, {
      plural: "runs",
      isWhole,
      order: newestFirst,
      columns: async (runs) => runColumns(runs, { isWide: options.wide === true }),
      empty,
    });
  },
});

/** By the time that the list shows first. Runs for the same time are in the order in which they were queued. */
function newestFirst(one: Run, other: Run): number {
  const [left, right] = [one, other].map(({ queued_at, scheduled_for }) => `${scheduled_for} ${queued_at}`);
  return left! < right! ? 1 : left! > right! ? -1 : 0;
}
