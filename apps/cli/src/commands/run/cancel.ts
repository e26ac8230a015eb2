import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findRun, isLive } from "../../find/run.ts";
import { flag } from "../../options.ts";
import { runState } from "../../views/run.ts";
import { waitForRun } from "../../runs/wait-for-run.ts";

export const command = defineCommand({
  arguments: [argument.run],
  options: { wait: flag("-w, --wait", "wait until it is gone") },
  details: "TERM, then KILL after the task's grace. A second cancel kills at once.",
  examples: [
    ['belfry run cancel "Nightly backup"', "the newest of its runs that has not ended"],
    ["belfry run cancel run_4fzH1TqWb8YkV0c2LxNd --wait", "and wait until it is gone"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const { id } = await findRun(client, typed, { what: "run that goes on", matches: isLive });
    const cancelled = await client.runs.cancel(id);
    const run = options.wait === true ? await waitForRun(client, cancelled, { out, now: host.now }) : cancelled;
    out.answer(run, () => `${JSON.stringify(run.task_name)}: ${runState(run)} (${run.id})`);
  },
});
