import type { Run } from "@belfry/client";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { findTask } from "../../find/task.ts";
import { callEach, type DaemonResult, failureText, onOption, resultAsJson, worstOf } from "../../fleet/each-daemon.ts";
import { flag } from "../../options.ts";
import type { Column } from "../../output/table.ts";
import { exitCodeOf, waitForRun } from "../../runs/wait-for-run.ts";
import { runState } from "../../views/run.ts";

type Row = DaemonResult<{ readonly run: Run }>;

const columns: readonly Column<Row>[] = [
  { title: "PROFILE", text: ({ profile }) => profile },
  {
    title: "RUN",
    text: (row) => failureText(row) ?? runState(row.answer!.run),
    color: ({ failure }) => (failure === null ? null : "bad"),
  },
  { title: "ID", text: ({ answer }) => answer?.run.id ?? null, color: () => "dim" },
  { title: "PROBLEM", text: ({ failure }) => failure?.message ?? "", isFlexible: true },
];

export const command = defineCommand({
  arguments: [argument.task],
  options: {
    on: onOption,
    wait: flag("-w, --wait", "wait until the runs have finished; exit with 0 only if all succeeded"),
  },
  details:
    "Starts one run of the task on each daemon. A daemon whose response is lost is listed as uncertain: check it before you start the task there again. The exit code is the highest of all daemons.",
  examples: [
    ['belfry fleet run "Nightly backup" --on build,web', "start the task of this name on two daemons"],
    ['belfry fleet run "Nightly backup" --wait', "start the task on all daemons, and wait"],
  ],
  run: async ({ args: [name], options, host, out, ...call }) => {
    const results = await callEach(options.on, { ...call, host, out }, async (client) => {
      const task = await findTask(client, name);
      const run = await client.tasks.run(task.id, { scheduled_for: null });
      return { run: options.wait === true ? await waitForRun(client, run, { out, now: host.now }) : run };
    });
    out.answer({ daemons: results.map(resultAsJson) }, () => out.table(columns, results));
    return worstOf(results, ({ run }) => {
      if (options.wait === true) return exitCodeOf(run);
      return run.state === "skipped" ? exitCodes.failed : exitCodes.ok;
    });
  },
});
