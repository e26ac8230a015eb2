import type { Fired } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { readSecret } from "../../input/secret.ts";
import { text } from "../../options.ts";
import { followOptions, followRun } from "../../runs/follow-run.ts";

export const command = defineCommand({
  options: {
    keyFile: text("--key-file <file>", "file that contains the key; - reads standard input"),
    ...followOptions,
  },
  details:
    "The key is read from a file, from standard input, or from a prompt that does not show it. Ctrl-C stops --wait and --follow, but does not cancel the run.",
  examples: [
    ["belfry trigger fire < deploy.key", "read the key from standard input"],
    ["belfry trigger fire --key-file /run/secrets/deploy --wait", "read the key from a file, and wait for the run"],
    ["belfry trigger fire", "ask for the key"],
  ],
  extraArgumentHint: "Give the key on standard input, at the prompt, or in a file with --key-file",
  run: async ({ connect, options, host, out }) => {
    const key = await readSecret({ file: options.keyFile, noun: "trigger key" }, host);
    if (/\s/.test(key)) throw usage("the trigger key must not contain spaces. Give only the key");
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
  if (state === "skipped")
    return `Fired the trigger, but the run was skipped (${run_id}): the limit of concurrent runs was reached`;
  return `Fired the trigger (${run_id}). Follow the run with: belfry run logs -f ${run_id}`;
}
