import { limits } from "@belfry/contract";
import { runOutcomes, runStates, runTriggers } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { findTaskId } from "../../find/task.ts";
import { readTime } from "../../input/time.ts";
import { flag, integer, oneOf, text } from "../../options.ts";
import { runColumns } from "../../views/run.ts";

const shownDefault = 20;

export const command = defineCommand({
  options: {
    task: text("--task <task>", "of this task; one that is gone by its id"),
    group: text("--group <group>", "of tasks directly in this group"),
    state: oneOf("--state <state>", "in this state", runStates),
    outcome: oneOf("--outcome <outcome>", "that ended so", runOutcomes),
    trigger: oneOf("--trigger <trigger>", "asked for so", runTriggers),
    since: text("--since <time>", 'queued since: 2h, yesterday, "2026-12-01 03:00"'),
    until: text("--until <time>", "queued before"),
    limit: integer("-n, --limit <n>", `how many (${shownDefault})`, { min: 1, max: limits.listMax }),
    all: flag("--all", "all there are"),
    cursor: text("--cursor <cursor>", "go on after a page: its next_cursor"),
  },
  examples: [
    ["belfry run list", "the newest"],
    ["belfry run list --outcome failure --since yesterday", "what went wrong"],
    ['belfry run list --task "Nightly backup" --all --json', "the whole history of a task"],
  ],
  run: async ({ connect, options, host, out }) => {
    const client = await connect();
    const read = (time: string | undefined, option: string) =>
      time === undefined ? undefined : readTime(time, { nowMs: host.now(), direction: "past", option });
    const query = withoutUndefined({
      task_id: options.task === undefined ? undefined : await findTaskId(client, options.task),
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      state: options.state,
      outcome: options.outcome,
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
      Object.keys(query).length === 0
        ? "Nothing has run yet. Start a task with: belfry task run <task>"
        : "No such runs";
    await out.list(page, { plural: "runs", isWhole, columns: async (runs) => runColumns(runs), empty });
  },
});
