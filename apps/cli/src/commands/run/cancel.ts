import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findRun, isLive } from "../../find/run.ts";
import { flag } from "../../options.ts";
import { runState } from "../../views/run.ts";
import { waitForRun } from "../../runs/wait-for-run.ts";

export const command = defineCommand({
  arguments: [{ ...argument.run, summary: "run id; or a task, for its newest unfinished run" }],
  options: { wait: flag("-w, --wait", "wait until the run has finished") },
  details:
    "Sends TERM, then KILL after the task's kill grace. A second cancel sends KILL immediately. To change the kill grace, use: belfry task edit <task> --kill-grace <duration>",
  examples: [
    ['belfry run cancel "Nightly backup"', "cancel the newest unfinished run of a task"],
    ["belfry run cancel run_4fzH1TqWb8YkV0c2LxNd --wait", "cancel a run and wait until it has finished"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const { id } = await findRun(client, typed, { description: "unfinished run", matches: isLive });
    const cancelled = await client.runs.cancel(id);
    const run = options.wait === true ? await waitForRun(client, cancelled, { out, now: host.now }) : cancelled;
    out.answer(run, () => `Run of task ${JSON.stringify(run.task_name)}: ${runState(run)} (${run.id})`);
  },
});
