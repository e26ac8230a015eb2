import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { ExitCode } from "../exit-codes.ts";
import { exitCodes } from "../exit-codes.ts";
import { gather } from "../gather.ts";
import type { Host } from "../host.ts";
import { flag, type ValuesOf } from "../options.ts";
import type { Output } from "../output/output.ts";
import { formatElapsed } from "../output/time.ts";
import { runState, waitingSentence } from "../views/run.ts";
import { followOutput } from "./follow-output.ts";
import { exitCodeOf, waitForRun } from "./wait-for-run.ts";

export const followOptions = {
  wait: flag("-w, --wait", "wait until the run has finished; exit with 0 only if it succeeded"),
  follow: flag("-f, --follow", "print the output of the run, and wait like --wait"),
} as const;

interface StartedRun {
  readonly client: AnyClient;
  readonly run: Run;
  readonly out: Output;
  readonly host: Host;
  /** A warning while the run takes long; null if there is nothing to say. */
  readonly warning?: () => Promise<string | null>;
  readonly options: ValuesOf<typeof followOptions>;
  /** Printed without --wait and --follow, unless the run was skipped. */
  readonly describe: () => string;
}

/** Reports a requested run, or waits until it has finished. With `--json` it prints the run as it is then. */
export async function followRun({ client, run, out, host, options, describe, warning }: StartedRun): Promise<ExitCode> {
  const isFollowing = options.follow === true && !out.json;
  if (!isFollowing && options.wait !== true && options.follow !== true) {
    out.answer(run, run.state === "skipped" ? () => describeSkipped(run) : describe);
    if (run.state === "skipped") {
      if (!out.json) await noteHolders(client, run, out);
      return exitCodes.failed;
    }
    if (!out.json) noteWait(await readAgain(client, run), out);
    return exitCodes.ok;
  }
  using _ = host.onInterrupt(() => detach(run, host, out));
  if (!out.json) noteWait(await readAgain(client, run), out);
  if (isFollowing) await followOutput(client, run, { stream: "both", out });
  const finished = await waitForRun(client, run, { out, now: host.now, warning });
  if (out.json) out.answer(finished, () => "");
  else if (finished.state === "skipped") {
    out.note(describeSkipped(finished));
    await noteHolders(client, finished, out);
  } else out.note(`Task ${JSON.stringify(finished.task_name)} ${describeEnd(finished)} (${finished.id})`);
  return exitCodeOf(finished);
}

/** The answer to a request was made before the run could start, and does not say what it waits for. */
async function readAgain(client: AnyClient, run: Run): Promise<Run> {
  return run.state === "queued" ? client.runs.get(run.id) : run;
}

/** A run that waits only for its own time was just requested for that time. */
function noteWait(run: Run, out: Output): void {
  const { reason } = run.waiting ?? {};
  if (reason !== undefined && reason !== "dispatch" && reason !== "start_time") out.note(waitingSentence(run)!);
}

function describeEnd(run: Run): string {
  // the daemon has no other words for it
  if (run.reason === "spawn_error" && run.reason_text !== null) return run.reason_text;
  return `${runState(run)}${run.duration_ms === null ? "" : ` after ${formatElapsed(run.duration_ms)}`}`;
}

/** The daemon's reason has no subject. */
function describeSkipped(run: Run): string {
  return `Run of task ${JSON.stringify(run.task_name)} ${run.reason_text ?? "was skipped"} (${run.id})`;
}

/** Names the runs because of which a run was skipped, if they are still active. */
async function noteHolders(client: AnyClient, skipped: Run, out: Output): Promise<void> {
  if (skipped.reason !== "overlap") return;
  const { key } = (await client.tasks.get(skipped.task_id)).concurrency;
  const runs = await gather(
    client.runs.list({ ended: false, limit: 1_000, ...(key === null ? { task_id: skipped.task_id } : {}) }),
  );
  const tasks = key === null ? [] : await gather(client.tasks.list({ limit: 1_000 }));
  const sharing = new Set([
    skipped.task_id,
    ...tasks.filter((task) => task.concurrency.key === key).map(({ id }) => id),
  ]);
  const holders = runs
    .filter(({ state, task_id }) => state !== "queued" && sharing.has(task_id))
    .map(({ id, task_name }) => `${id} of task ${JSON.stringify(task_name)}`);
  if (holders.length > 0) out.note(`The limit is used by ${holders.join(", ")}`);
}

/** The run belongs to the daemon and continues after the command. */
function detach(run: Run, host: Host, out: Output): void {
  host.stderr.write(out.hint(`\nThe run continues. Cancel it with: belfry run cancel ${run.id}\n`));
  host.exit(130);
}
