import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findRun } from "../../find/run.ts";
import { renderDetails } from "../../output/details.ts";
import { runDetails } from "../../views/run.ts";

export const command = defineCommand({
  arguments: [argument.run],
  examples: [
    ['belfry run show "Nightly backup"', "the newest run of a task"],
    ["belfry run show run_4fzH1TqWb8YkV0c2LxNd --json", "one run, for a program"],
  ],
  run: async ({ connect, args: [typed], out }) => {
    const run = await findRun(await connect(), typed);
    out.answer(run, () => renderDetails(runDetails(run)));
  },
});
