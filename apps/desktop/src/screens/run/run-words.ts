import type { Run } from "@belfry/client";
import { hasEnded, isBeforeRetry } from "../../data/run-words.ts";

type State = Run["state"];

/** Why a run is where it is, as a sentence. */
export function sentenceOf(run: Run): string {
  const { state, reason_text: reason, waiting } = run;
  const now = waiting?.text ?? statesTexts[state] ?? `is ${state}`;
  // the reason of a run that has not ended is that of its last attempt
  if (isBeforeRetry(run)) return `${reason === null ? "" : `Attempt ${run.attempt - 1} ${reason}. `}The run ${now}.`;
  return `The run ${state === "queued" ? now : (reason ?? now)}.`;
}

const statesTexts: Partial<Record<State, string>> = {
  queued: "is queued",
  dispatching: "is starting",
  running: "is in progress",
  cancelling: "is being cancelled",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "was cancelled",
  skipped: "was skipped",
};

/** The last attempt that began, or null. A queued run has the number of its next one. */
export function lastAttempt({ state, attempt }: Pick<Run, "state" | "attempt">): number | null {
  const begun = state === "queued" ? attempt - 1 : attempt;
  return begun < 1 ? null : begun;
}

/** What cancelling does to a run in this state. */
export function cancelText({ state, task_name: task }: Run, killGrace: string | null): string {
  if (state === "queued") return `The run of ${task} leaves the queue and does not start.`;
  if (state === "cancelling")
    return `The run of ${task} is being cancelled. A second cancel does not wait for the rest of the grace period: its processes get SIGKILL now.`;
  const after = killGrace === null ? "the task's grace period" : `a grace period of ${killGrace}`;
  return `The processes of ${task} get SIGTERM, and those that are left after ${after} get SIGKILL. No further attempt follows.`;
}

export function mayCancel({ state }: Pick<Run, "state">): boolean {
  return !hasEnded(state);
}
