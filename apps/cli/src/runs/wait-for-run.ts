import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { ExitCode } from "../exit-codes.ts";
import { exitCodes } from "../exit-codes.ts";
import { isLive } from "../find/run.ts";
import type { Output } from "../output/output.ts";
import { formatSpan } from "../output/time.ts";
import { pause } from "../pause.ts";
import { runState, waitingSentence } from "../views/run.ts";

const firstDelayMs = 50;
const delayMaxMs = 1_000;

/** A run that takes longer may be one that cannot be recorded. */
const slowMs = 3_000;

interface Waiting {
  readonly out: Output;
  readonly now: () => number;
  /** A warning for a run that takes long; null if there is nothing to say. */
  readonly warning?: (() => Promise<string | null>) | undefined;
}

/** Polls with growing delays until the run has finished. */
export async function waitForRun(client: AnyClient, run: Run, { out, now, warning }: Waiting): Promise<Run> {
  const startedMs = now();
  let isWarned = warning === undefined;
  let current = run;
  using _ = out.progress(() => describeProgress(current, formatSpan(now() - startedMs)));
  for (let delayMs = firstDelayMs; isLive(current); delayMs = Math.min(delayMs * 1.5, delayMaxMs)) {
    await pause(delayMs);
    current = await client.runs.get(run.id);
    if (isWarned || now() - startedMs < slowMs) continue;
    isWarned = true;
    const text = await warning?.();
    if (text) out.note(text);
  }
  return current;
}

/** `Task "Backup" is running (12s)`, or `Task "Backup" has waited for 12s. The run is queued: ...`. */
function describeProgress(run: Run, elapsed: string): string {
  const task = `Task ${JSON.stringify(run.task_name)}`;
  const waiting = waitingSentence(run);
  return waiting === null
    ? `${task} is ${runState(run)} (${elapsed})`
    : `${task} has waited for ${elapsed}. ${waiting}`;
}

export function exitCodeOf(run: Run): ExitCode {
  if (run.state === "succeeded") return exitCodes.ok;
  if (run.reason !== "spawn_error") return exitCodes.failed;
  return run.reason_text?.endsWith("(ENOENT)") === true ? exitCodes.programNotFound : exitCodes.notExecutable;
}
