import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { isIdOf } from "../find/find.ts";
import { findRun, isLive } from "../find/run.ts";
import type { Output } from "../output/output.ts";
import { formatAge, formatSpan } from "../output/time.ts";

interface Choice {
  /** Whether only a run that failed is chosen. */
  readonly isFailed: boolean;
  readonly nowMs: number;
  readonly out: Output;
}

const withOutput = { description: "run with output yet", matches: ({ state }: Run) => state !== "skipped" };
const failed = { description: "failed run", matches: () => true, query: { outcome: "failure" } } as const;

/** Finds the run whose output to print: the given one, or the newest of a task, or the newest of all. */
export async function chooseRun(
  client: AnyClient,
  typed: string | undefined,
  { isFailed, nowMs, out }: Choice,
): Promise<Run> {
  if (isFailed && typed !== undefined && isIdOf("run", typed))
    throw usage("--failed chooses the run itself. Leave out --failed, or name a task instead of a run");
  const filter = isFailed ? failed : withOutput;
  const run = typed === undefined ? await findNewest(client, isFailed) : await findRun(client, typed, filter);
  if (typed === undefined || isFailed) out.note(describe(run, nowMs));
  return run;
}

async function findNewest(client: AnyClient, isFailed: boolean): Promise<Run> {
  const query = isFailed ? { ...failed.query, limit: 1 } : {};
  for await (const run of client.runs.list(query)) if (run.state !== "skipped") return run;
  throw new Failure(exitCodes.notFound, isFailed ? "no run has failed" : "there is no run yet", {
    hint: "List the runs with: belfry run list",
  });
}

/** `Task "Backup", failed 3h ago (run_...)` */
function describe(run: Run, nowMs: number): string {
  const since = run.ended_at ?? run.started_at ?? run.queued_at;
  const age = formatAge(since, nowMs);
  const state = isLive(run)
    ? `${run.state} for ${formatSpan(Math.max(0, nowMs - Date.parse(since)))}`
    : `${run.state} ${age === "now" ? "just now" : age}`;
  return `Task ${JSON.stringify(run.task_name)}, ${state} (${run.id})`;
}
