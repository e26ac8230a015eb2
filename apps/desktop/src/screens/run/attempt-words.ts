import type { Run, RunAttempt } from "@belfry/client";
import type { StatusKind } from "../../components/status.tsx";
import { runKind } from "../../data/run-words.ts";

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

export interface Bar {
  readonly number: number;
  /** In hundredths of the whole time. */
  readonly left: number;
  readonly width: number;
}

/** The attempts over the time from the begin of the first to the end of the last. */
export function barsOf(attempts: readonly RunAttempt[], now: number): readonly Bar[] {
  const spans = attempts.map(({ number, created_at, started_at, ended_at }) => ({
    number,
    from: Date.parse(started_at ?? created_at),
    until: ended_at === null ? now : Date.parse(ended_at),
  }));
  const from = Math.min(...spans.map((span) => span.from));
  const whole = Math.max(1, Math.max(...spans.map(({ until }) => until)) - from);
  return spans.map((span) => ({
    number: span.number,
    left: ((span.from - from) / whole) * 100,
    width: (Math.max(0, span.until - span.from) / whole) * 100,
  }));
}
