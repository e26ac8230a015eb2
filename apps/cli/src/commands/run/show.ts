import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findRun } from "../../find/run.ts";
import { findSourceRun } from "../../runs/find-source-run.ts";
import { renderDetails } from "../../output/details.ts";
import { runDetails } from "../../views/run.ts";

export const command = defineCommand({
  arguments: [argument.run],
  examples: [
    ['belfry run show "Nightly backup"', "show the newest run of a task"],
    ["belfry run show run_4fzH1TqWb8YkV0c2LxNd --json", "print a run as JSON"],
  ],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const run = await findRun(client, typed);
    const source = out.json ? null : await findSourceRun(client, run);
    out.answer(run, () => renderDetails(runDetails(run, source)));
  },
});
