import type { Run, RunAttempt } from "@belfry/client";
import type { StatusKind } from "../../components/status.tsx";
import { runKind } from "../../data/run-words.ts";
import type { TimelineRow, TimelineRun } from "../../timeline/rows.ts";

const reasons: Partial<Record<NonNullable<RunAttempt["reason"]>, string>> = {
  timeout: "ran into its timeout",
  spawn_error: "could not start",
  lost: "was lost",
  cancelled: "was cancelled",
  replaced: "was replaced by a newer run",
};

/** How an attempt went, as the rest of a sentence that begins with it. */
export function attemptText({ reason, exit_code: code, signal }: RunAttempt): string {
  if (reason === null) return "is running";
  if (reason === "exit_code" && code !== null) return `exited with code ${code}`;
  if (reason === "signal" && signal !== null) return `was ended by ${signal}`;
  return reasons[reason] ?? `ended: ${reason}`;
}

/** What an attempt was: the last one is what the run is, and those before it failed, or they would be the last. */
export function attemptKind(attempt: RunAttempt, run: Pick<Run, "state">, isLast: boolean): StatusKind {
  if (attempt.ended_at === null) return "running";
  return isLast && run.state !== "queued" ? runKind(run.state) : "failure";
}

export interface AttemptsPicture {
  readonly row: TimelineRow;
  readonly from: number;
  readonly until: number;
}

/** The shortest picture: a part of it that is shorter says nothing. */
const spanMin = 2_000;
const margin = 0.03;

/** The attempts of a run as a row of the timeline, with the next one if the run waits for it. */
export function pictureOf(run: Run, attempts: readonly RunAttempt[], now: number): AttemptsPicture | null {
  if (attempts.length === 0) return null;
  const runs = attempts.map((attempt, index): TimelineRun => ({
    id: String(attempt.number),
    state: stateOf(attempt, run, index === attempts.length - 1),
    outcome: null,
    scheduled_for: attempt.created_at,
    queued_at: attempt.created_at,
    started_at: attempt.started_at ?? attempt.created_at,
    ended_at: attempt.ended_at,
    coalesced: 0,
    coalesced_from: null,
  }));
  const next = run.state === "queued" ? (run.waiting?.until ?? null) : null;
  const begin = Math.min(...runs.map(({ started_at }) => Date.parse(started_at!)));
  const ends = runs.map(({ ended_at }) => (ended_at === null ? now : Date.parse(ended_at)));
  const end = Math.max(
    begin + spanMin,
    ...ends,
    ...(run.state === "queued" ? [now] : []),
    next === null ? 0 : Date.parse(next),
  );
  const apart = (end - begin) * margin;
  return {
    row: {
      task_id: run.task_id,
      name: run.task_name,
      group_id: null,
      group_path: null,
      usual_duration_ms: null,
      past: { kind: "runs", runs },
      future: { kind: "times", times: next === null ? [] : [{ at: next, schedule_id: run.id }] },
      unplanned: [],
    },
    from: begin - apart,
    until: end + apart,
  };
}

function stateOf(attempt: RunAttempt, run: Pick<Run, "state">, isLast: boolean): Run["state"] {
  if (attempt.ended_at === null) return run.state === "cancelling" ? "cancelling" : "running";
  return isLast && run.state !== "queued" ? run.state : "failed";
}
