import type { Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { pause } from "../pause.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { waitingSentence } from "../views/run.ts";
import { copyOutput, type OutputSelection } from "./copy-output.ts";

const pollMs = 200;
/** A run that was just requested usually starts within this time. */
const firstPollMs = 20;

/**
 * Copies the output of a run until it has finished: of the latest attempt that has started, and of each later one.
 * `tail` and `since` apply to the first of them.
 */
export async function followOutput(
  client: AnyClient,
  run: Run,
  { tail, since, ...selection }: OutputSelection,
): Promise<void> {
  let start = withoutUndefined({ tail, since });
  let current = run;
  // each by its number, because several attempts may pass while this command is slow
  for (let attempt = Math.max(1, startedAttempts(run)); ; attempt++) {
    current = await untilStarted(client, current, attempt);
    if (current.started_at === null || startedAttempts(current) < attempt) return;
    await copyOutput(client, run.id, { ...selection, ...start, follow: true, attempt });
    start = {};
    current = await client.runs.get(run.id);
    if (current.state === "queued" && startedAttempts(current) === attempt) noteRetry(current, selection);
  }
}

/** Waits until an attempt has started, or until the run is over without it. */
async function untilStarted(client: AnyClient, run: Run, attempt: number): Promise<Run> {
  let current = run;
  for (let waitMs = firstPollMs; isWaiting(current, attempt); waitMs = Math.min(pollMs, waitMs * 2)) {
    await pause(waitMs);
    current = await client.runs.get(run.id);
  }
  return current;
}

/** Without a process yet, or between two attempts. */
function isWaiting(run: Run, attempt: number): boolean {
  return run.ended_at === null && (run.started_at === null || startedAttempts(run) < attempt);
}

function noteRetry(run: Run, { out }: Pick<OutputSelection, "out">): void {
  const ended = `Attempt ${startedAttempts(run)} of ${run.attempts_max} has finished.`;
  const waiting = waitingSentence(run);
  out.note(waiting === null ? ended : `${ended} ${waiting}`);
}

/** Between two attempts, `attempt` is already the number of the next one. */
function startedAttempts({ state, attempt }: Run): number {
  return state === "queued" ? Math.max(0, attempt - 1) : attempt;
}
