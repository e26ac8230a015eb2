import type { Client, Run } from "@belfry/client";
import type { ExitCode } from "../exit-codes.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Host } from "../host.ts";
import { flag, type ValuesOf } from "../options.ts";
import type { Output } from "../output/output.ts";
import { formatElapsed } from "../output/time.ts";
import { runState } from "../views/run.ts";
import { followOutput } from "./follow-output.ts";
import { exitCodeOf, waitForRun } from "./wait-for-run.ts";

export const followOptions = {
  wait: flag("-w, --wait", "wait for its end; the exit code tells how it went"),
  follow: flag("-f, --follow", "print what it writes, and wait"),
} as const;

interface Started {
  readonly client: Client;
  readonly run: Run;
  readonly out: Output;
  readonly host: Host;
  readonly options: ValuesOf<typeof followOptions>;
  /** Said where nobody waits, unless the run was skipped. */
  readonly describe: () => string;
}

/** After a run was asked for: says so, or stays to its end. With `--json` the answer is the run as it is then. */
export async function followRun({ client, run, out, host, options, describe }: Started): Promise<ExitCode> {
  const isFollowing = options.follow === true && !out.json;
  if (!isFollowing && options.wait !== true && options.follow !== true) {
    out.answer(run, run.state === "skipped" ? () => describeSkipped(run) : describe);
    return run.state === "skipped" ? exitCodes.failed : exitCodes.ok;
  }
  using _ = host.onInterrupt(() => detach(run, host));
  if (isFollowing) await followOutput(client, run, { stream: "both", out });
  const ended = await waitForRun(client, run, { out, now: host.now });
  if (out.json) out.answer(ended, () => "");
  else
    out.note(
      `${JSON.stringify(ended.task_name)} ${runState(ended)}${ended.duration_ms === null ? "" : ` after ${formatElapsed(ended.duration_ms)}`} (${ended.id})`,
    );
  return exitCodeOf(ended);
}

/** The daemon's reason is a sentence without its subject. */
function describeSkipped(run: Run): string {
  return `${JSON.stringify(run.task_name)} ${run.reason_text ?? "was skipped"} (${run.id})`;
}

/** The run belongs to the daemon: whoever watched may go. */
function detach(run: Run, host: Host): void {
  host.stderr.write(`\nThe run goes on. To end it: belfry run cancel ${run.id}\n`);
  host.exit(130);
}
