import { AppError, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { fixedFraction } from "../../kernel/random.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { readinessText, type TaskRow, type Tasks } from "../tasks/index.ts";
import type { RunFact } from "./facts.ts";
import { notRetriedBecause, reasonText } from "./reason-text.ts";
import { type AttemptOutcome, resolveOutcome } from "./resolve-outcome.ts";
import type { RunStore } from "./store.ts";
import { type AttemptRow, keptBytesOf, type RunRow } from "./table.ts";

/*
 * The states of a run.
 *
 * queued       waits for a slot, for its time, or for a retry. Holds no slot. A cancel ends it immediately.
 * dispatching  an attempt is committed with its boot id, and then ordered from the runner. Holds a slot.
 * running      the runner has reported its process. Holds a slot.
 * cancelling   a cancel, or the replacement by a newer run, is committed before any signal. Holds a slot. A second cancel skips the grace. A report of the
 *              start still sets pid and time. The reported end decides the outcome, even if it came before the signal.
 * succeeded, failed, cancelled, skipped: final. Only a skipped row still changes, when another skip is merged into it.
 *
 * queued -> dispatching -> running -> succeeded | failed | cancelled, or back to queued for another attempt.
 * dispatching | running -> cancelling -> any final state, never back to queued.
 * A report about an attempt that is not the run's current one is ignored: the first end counts.
 */

export interface StreamCounts {
  readonly written: number;
  readonly cut: number;
}

export interface ReportedEnd extends AttemptOutcome {
  readonly pid: number | null;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant;
  /** When the main process exited, if what it left was ended after that. */
  readonly exitedAt?: Instant;
  readonly durationMs: number;
  readonly stdout: StreamCounts;
  readonly stderr: StreamCounts;
  /** What the order of the output takes on disk; absent from former runners. */
  readonly orderBytes?: number;
}

export interface LifecycleDeps {
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly host: string;
}

type CancelCause = NonNullable<RunRow["cancelCause"]>;
/** The obstacles that end a queued run. A run of a held task waits. */
type Obstacle = Exclude<ReturnType<Tasks["obstacleOf"]>, "ready" | "held">;
export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle({ store, tasks, host }: LifecycleDeps) {
  const get = (id: string): RunRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("run", id);
    return row;
  };

  return {
    get,

    /** Creates the run's next attempt. It must be committed, with its origin, before the runner is ordered to start it. */
    dispatch: (unit: Unit<RunFact>, run: RunRow, origin: string): AttemptRow => {
      const attempt: AttemptRow = {
        id: newId("att"),
        runId: run.id,
        number: run.attempt + 1,
        origin,
        createdAt: unit.now,
        startedAt: null,
        endedAt: null,
        cause: null,
        exitCode: null,
        signal: null,
        stdoutBytes: 0,
        stderrBytes: 0,
        stdoutCut: 0,
        stderrCut: 0,
        orderBytes: 0,
      };
      store.insertAttempt(attempt);
      store.update(run, { state: "dispatching", attempt: attempt.number, attemptId: attempt.id, host });
      unit.record({ name: "run.dispatched", runId: run.id, taskId: run.taskId });
      return attempt;
    },

    /**
     * Ends a queued run whose task can no longer start. Before its first attempt the run is skipped; later it keeps the
     * failure of its last attempt.
     */
    giveUp: (unit: Unit<RunFact>, run: RunRow, obstacle: Obstacle): void => {
      if (run.attempt === 0) return skip(unit, run, obstacle);
      const why = `${run.reasonText ?? "failed"}${notRetriedBecause(readinessText[obstacle])}`;
      finish(unit, run, { state: "failed", outcome: "failure", reasonText: why });
    },

    /** Skips a queued run whose task had reached its limit when the run became due. */
    skipOverlapping: (unit: Unit<RunFact>, run: RunRow): void => skip(unit, run, "overlap"),

    markStarted: (
      unit: Unit<RunFact>,
      attemptId: string,
      process: { readonly pid: number; readonly at: Instant },
    ): void => {
      const run = store.findByAttempt(attemptId);
      if (run === undefined || run.pid !== null) return;
      store.updateAttempt(attemptId, { startedAt: process.at });
      store.update(run, {
        state: run.state === "dispatching" ? "running" : run.state,
        startedAt: run.startedAt ?? process.at,
        pid: process.pid,
      });
      unit.record({ name: "run.started", runId: run.id, taskId: run.taskId });
    },

    endAttempt: (unit: Unit<RunFact>, attemptId: string, end: ReportedEnd): void => {
      const run = store.findByAttempt(attemptId);
      if (run === undefined) return;
      const output = {
        stdoutBytes: end.stdout.written,
        stderrBytes: end.stderr.written,
        stdoutCut: end.stdout.cut,
        stderrCut: end.stderr.cut,
      };
      const { orderBytes = 0 } = end;
      store.updateAttempt(attemptId, {
        startedAt: end.startedAt,
        endedAt: end.endedAt,
        cause: end.cause,
        exitCode: end.exitCode,
        signal: end.signal,
        ...output,
        orderBytes,
      });
      tasks.addKeptBytes(unit, run.taskId, keptBytesOf({ ...output, orderBytes }));
      // a run whose runner died while it was being cancelled counts as cancelled
      const cause = end.cause === "lost" && run.cancelRequestedAt !== null ? "cancelled" : end.cause;
      const chance = fixedFraction(run.id, String(run.attempt));
      const resolved = resolveOutcome(run, { ...termsOf(tasks.find(run.taskId)), chance }, { ...end, cause });
      // the duration of a run whose program never started counts from its dispatch
      const startedAt = run.startedAt ?? end.startedAt ?? store.findAttempt(attemptId)?.createdAt ?? end.endedAt;
      const measuredMs = (run.durationMs ?? 0) + end.durationMs;
      if (resolved.kind === "retry") {
        const notBefore = unit.now + resolved.delayMs;
        store.update(run, {
          ...resolved.change,
          ...output,
          state: "queued",
          outcome: null,
          startedAt,
          durationMs: Math.round(measuredMs + resolved.delayMs),
          pid: null,
          attemptId: null,
          notBefore,
        });
        unit.record({ name: "run.retrying", runId: run.id, taskId: run.taskId });
        return;
      }
      // the wall clock shows waits too, but may have been set back meanwhile
      const exitedAt = end.exitedAt ?? end.endedAt;
      const durationMs = run.attempt <= 1 ? end.durationMs : Math.max(measuredMs, exitedAt - startedAt);
      finish(unit, run, {
        ...resolved.change,
        ...output,
        startedAt,
        endedAt: end.endedAt,
        durationMs: Math.round(durationMs),
        pid: end.pid ?? run.pid,
      });
    },

    /** Ends a run for a newer one of its task. A run that was never started is skipped. */
    replace: (unit: Unit<RunFact>, run: RunRow): void => {
      if (run.state !== "queued")
        return stop(unit, run, { cause: "replaced", graceMs: tasks.find(run.taskId)?.killGraceMs ?? 0 });
      if (run.attempt === 0) return skip(unit, run, "replaced");
      finish(unit, run, {
        state: "cancelled",
        outcome: null,
        reason: "replaced",
        reasonText: reasonText("replaced"),
      });
    },

    cancel: (unit: Unit<RunFact>, id: string): RunRow => {
      const run = get(id);
      switch (run.state) {
        case "queued":
          finish(unit, run, {
            state: "cancelled",
            outcome: null,
            reason: "cancelled",
            reasonText: reasonText("cancelled"),
          });
          return get(id);
        case "dispatching":
        case "running":
        case "cancelling": {
          const graceMs = run.state === "cancelling" ? 0 : (tasks.find(run.taskId)?.killGraceMs ?? 0);
          // the first cause counts
          const cause = run.cancelCause ?? "cancelled";
          stop(unit, run, { cause, graceMs });
          return get(id);
        }
        case "succeeded":
        case "failed":
        case "cancelled":
        case "skipped":
          throw new AppError(
            "conflict",
            `the run has already ended: it ${run.state === "succeeded" || run.state === "failed" ? run.state : `was ${run.state}`}`,
          );
      }
    },
  };

  function stop(
    unit: Unit<RunFact>,
    run: RunRow,
    { cause, graceMs }: { readonly cause: CancelCause; readonly graceMs: number },
  ): void {
    if (run.state !== "cancelling")
      store.update(run, { state: "cancelling", cancelRequestedAt: unit.now, cancelCause: cause });
    unit.record({ name: "run.cancelling", runId: run.id, taskId: run.taskId, attemptId: run.attemptId!, graceMs });
  }

  function skip(unit: Unit<RunFact>, run: RunRow, reason: Obstacle | "overlap" | "replaced"): void {
    finish(unit, run, { state: "skipped", reason, reasonText: reasonText(reason) });
  }

  function finish(unit: Unit<RunFact>, run: RunRow, change: Partial<RunRow>): void {
    const endedAt = change.endedAt ?? unit.now;
    // the duration of a run that ends in the pause between two attempts counts from its first attempt
    const durationMs = run.startedAt === null ? null : durationUntil(endedAt, run.startedAt, run.durationMs);
    const ending = { durationMs, ...change, endedAt, attemptId: null };
    store.update(run, ending);
    unit.record({
      name: "run.ended",
      runId: run.id,
      taskId: run.taskId,
      outcome: change.outcome ?? null,
      from: run.state,
      end: { ...run, ...ending },
    });
  }
}

/** Returns the time between two instants, or what was measured if the clock was set back between them. */
function durationUntil(endedAt: Instant, startedAt: Instant, measuredMs: number | null): number {
  return endedAt >= startedAt ? endedAt - startedAt : (measuredMs ?? 0);
}

/** A task with active runs cannot be deleted; these settings are for a row that was removed by hand. */
const termsWithoutTask = {
  successExitCodes: [0],
  retry: { max_attempts: 1, delay: "0s", backoff: 1, max_delay: "0s", jitter: 0 },
  onLost: "fail",
  timeoutMs: null,
} as const;

function termsOf(task: TaskRow | undefined) {
  return task ?? termsWithoutTask;
}
