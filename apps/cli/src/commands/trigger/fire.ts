import { type Fired, isApiError } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { explainForbidden, explainSilent } from "../../triggers/explain-unreached.ts";
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
  run: async ({ connect, options, host, out, location }) => {
    const key = await readSecret({ file: options.keyFile, noun: "trigger key" }, host);
    if (/\s/.test(key)) throw usage("the trigger key must not contain spaces. Give only the key");
    const client = await connect();
    // a socket that was named may be a fire socket, which shows no runs
    const named = location.socket ?? host.environment["BELFRY_SOCKET"];
    if (options.wait === true || options.follow === true) {
      await requireRuns(client);
      const fired = await client.triggers.fire(key);
      const run = await client.runs.get(fired.run_id);
      return followRun({ client, run, out, host, options, describe: () => "" });
    }
    const fired = await client.triggers.fire(key).catch((error: unknown) => {
      throw named === undefined || named === "" ? explainForbidden(error) : explainSilent(error, named);
    });
    out.answer(fired, () => out.hint(describeFired(fired, Boolean(named))));
    return fired.state === "skipped" ? exitCodes.failed : exitCodes.ok;
  },
});

/** A fire socket has no manifest either. Nothing is fired before the answer is clear. */
async function requireRuns(client: AnyClient): Promise<void> {
  await client.manifest.get().catch((error: unknown) => {
    if (!isApiError(error, "not_found")) throw error;
    throw usage(
      "--wait and --follow need the daemon's own socket: this one shows no runs",
      "Nothing was fired. Leave out --wait and --follow",
    );
  });
}

function describeFired({ run_id, state }: Fired, isNamed: boolean): string {
  if (state === "skipped")
    return `Fired the trigger, but the run was skipped (${run_id}): the limit of concurrent runs was reached`;
  const fired = `Fired the trigger (${run_id})`;
  return isNamed ? fired : `${fired}. Follow the run with: belfry run logs -f ${run_id}`;
}
