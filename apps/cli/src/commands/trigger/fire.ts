import { type Fired, isApiError } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
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
    ["belfry --socket /run/belfry/fire.sock trigger fire < deploy.key", "fire as another user of this machine"],
  ],
  extraArgumentHint: "Give the key on standard input, at the prompt, or in a file with --key-file",
  run: async ({ connect, options, host, out }) => {
    const key = await readSecret({ file: options.keyFile, noun: "trigger key" }, host);
    if (/\s/.test(key)) throw usage("the trigger key must not contain spaces. Give only the key");
    const client = await connect();
    const fired = await client.triggers.fire(key);
    if (options.wait !== true && options.follow !== true) {
      out.answer(fired, () => out.hint(describeFired(fired)));
      return fired.state === "skipped" ? exitCodes.failed : exitCodes.ok;
    }
    const run = await client.runs.get(fired.run_id).catch((error: unknown) => {
      throw isApiError(error, "not_found") ? unreadable(fired) : error;
    });
    return followRun({ client, run, out, host, options, describe: () => out.hint(describeFired(fired)) });
  },
});

/** The socket for fires has no runs. */
function unreadable({ run_id: runId }: Fired): Failure {
  return new Failure(exitCodes.uncertain, `the trigger was fired, but this socket does not show the run ${runId}`, {
    code: "uncertain",
    hint: "Do not repeat the command. On the socket for fires, leave out --wait and --follow",
  });
}

function describeFired({ run_id, state }: Fired): string {
  if (state === "skipped")
    return `Fired the trigger, but the run was skipped (${run_id}): the limit of concurrent runs was reached`;
  return `Fired the trigger (${run_id}). Follow the run with: belfry run logs -f ${run_id}`;
}
