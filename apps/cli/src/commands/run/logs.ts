import { limits } from "@belfry/contract";
import { argument } from "../../arguments.ts";
import { outputStreams } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findRun } from "../../find/run.ts";
import { flag, integer, oneOf } from "../../options.ts";
import { copyOutput } from "../../runs/copy-output.ts";
import { followOutput } from "../../runs/follow-output.ts";

export const command = defineCommand({
  arguments: [argument.run],
  options: {
    follow: flag("-f, --follow", "also print new output until the run has finished"),
    stream: oneOf("--stream <stream>", "output to print", { choices: outputStreams, byDefault: "both" }),
    attempt: integer("--attempt <n>", "print the output of this attempt (default: the last)", {
      min: 1,
      max: limits.retryAttemptsMax,
    }),
  },
  details: "The standard output of the run is printed to standard output, and its standard error to standard error.",
  examples: [
    ['belfry run logs "Nightly backup"', "print the output of the newest run of a task"],
    ['belfry run logs -f "Nightly backup"', "print the output and follow it"],
    [
      "belfry run logs run_4fzH1TqWb8YkV0c2LxNd --stream stderr 2> errors.txt",
      "save the standard error of a run to a file",
    ],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const run = await findRun(client, typed, {
      description: "run with output yet",
      matches: ({ state }) => state !== "skipped",
    });
    const { attempt, stream = "both", follow = false } = options;
    if (follow && attempt === undefined) return followOutput(client, run, { stream, out });
    await copyOutput(client, run.id, { stream, follow, ...withoutUndefined({ attempt }), out });
  },
});
