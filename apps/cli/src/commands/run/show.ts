import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findRun } from "../../find/run.ts";
import { findRequester } from "../../runs/find-requester.ts";
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
    // the newest run of a task comes from a list, which does not say what a run waits for
    const whole = run.state === "queued" ? await client.runs.get(run.id) : run;
    if (out.json) return out.answer(whole, () => "");
    const [source, requester] = await Promise.all([findSourceRun(client, whole), findRequester(client, whole)]);
    out.answer(whole, () => renderDetails(runDetails(whole, { source, requester })));
  },
});
