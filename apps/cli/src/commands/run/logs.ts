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
    follow: flag("-f, --follow", "go on until the run has ended"),
    stream: oneOf("--stream <stream>", "only one of them", outputStreams),
    attempt: integer("--attempt <n>", "of this attempt (the last)", { min: 1, max: limits.retryAttemptsMax }),
  },
  details: "What the run wrote to its standard output comes on standard output, its errors on standard error.",
  examples: [
    ['belfry run logs "Nightly backup"', "of the newest run that started"],
    ['belfry run logs -f "Nightly backup"', "and what it still writes"],
    ["belfry run logs run_4fzH1TqWb8YkV0c2LxNd --stream stderr 2> errors.txt", "its errors into a file"],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const run = await findRun(client, typed, {
      what: "run with output yet",
      matches: ({ state }) => state !== "skipped",
    });
    const { attempt, stream = "both", follow = false } = options;
    if (follow && attempt === undefined) return followOutput(client, run, { stream, out });
    await copyOutput(client, run.id, { stream, follow, ...withoutUndefined({ attempt }), out });
  },
});
