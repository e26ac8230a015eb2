import type { Fired } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { readSecret } from "../../input/secret.ts";
import { text } from "../../options.ts";
import { followOptions, followRun } from "../../runs/follow-run.ts";

export const command = defineCommand({
  options: {
    keyFile: text("--key-file <file>", "the key from a file; - is standard input"),
    ...followOptions,
  },
  details:
    "The key comes from standard input, from a file, or from a prompt that does not show it. With --wait or --follow the exit code is 0 only if the run succeeds.",
  examples: [
    ["belfry trigger fire < deploy.key", "in a script"],
    ["belfry trigger fire --key-file /run/secrets/deploy --wait", "and wait for the run's end"],
    ["belfry trigger fire", "at a prompt"],
  ],
  run: async ({ connect, options, host, out }) => {
    const key = await readSecret({ file: options.keyFile, what: "trigger key" }, host);
    if (/\s/.test(key)) throw usage("there is more than a trigger key: it is one word on one line");
    const client = await connect();
    const fired = await client.triggers.fire(key);
    if (options.wait !== true && options.follow !== true) {
      out.answer(fired, () => describeFired(fired));
      return fired.state === "skipped" ? exitCodes.failed : exitCodes.ok;
    }
    const run = await client.runs.get(fired.run_id);
    return followRun({ client, run, out, host, options, describe: () => describeFired(fired) });
  },
});

function describeFired({ run_id, state }: Fired): string {
  if (state === "skipped") return `Fired, and the run was skipped (${run_id}): a run of the task was still under way`;
  return `Fired: ${run_id}. See it with: belfry run logs -f ${run_id}`;
}
