import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { explainRefusedRun } from "../../find/hold.ts";
import { findRun } from "../../find/run.ts";
import { followOptions, followRun } from "../../runs/follow-run.ts";

export const command = defineCommand({
  arguments: [argument.run],
  options: followOptions,
  details: "The new run uses the current settings of the task.",
  examples: [
    ["belfry run rerun run_4fzH1TqWb8YkV0c2LxNd --follow", "run the same task again and follow its output"],
    ['belfry run rerun "Nightly backup"', "repeat the newest run of a task"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const former = await findRun(client, typed);
    const run = await client.runs.rerun(former.id).catch(async (error: unknown) => {
      throw await explainRefusedRun(client, former.task_id, error);
    });
    return followRun({
      client,
      run,
      out,
      host,
      options,
      describe: () => `Queued a new run of task ${JSON.stringify(run.task_name)} (${run.id})`,
    });
  },
});
