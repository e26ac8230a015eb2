import type { Clock, Timer } from "../../kernel/time/clock.ts";
import { describeError, isStorageFailure } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { createWake } from "../../kernel/time/wake.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import type { AttemptEnd, Report } from "../../runner/protocol/messages.ts";
import type { Lifecycle, ReportedEnd, RunFact, RunRow, RunStore } from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { attemptSpec, type SpecDeps } from "./attempt-spec.ts";
import { createAttemptsFolder } from "./attempts-folder.ts";
import type { Availability } from "./availability.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { DispatchRequested } from "./facts.ts";
import { createExecutor, type ExecutorParts } from "./executor.ts";
import { removeKept, sweepKept } from "./output-sweep.ts";
import { createRecovery } from "./recovery.ts";

export interface EngineParts extends SpecDeps, Omit<ExecutorParts, "onReport" | "onRunnersChanged"> {
  readonly clock: Clock;
  /** Processes start and end in real time, whatever the calendar says. */
  readonly processClock: Clock;
  readonly log: Log;
  readonly write: Write<RunFact | DispatchRequested>;
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
  readonly runsAtOnceMax: number;
  readonly bootId: string;
  readonly availability: Availability;
}

/** A run with the attempt it was given. */
interface StartOrder {
  readonly run: RunRow;
  readonly task: TaskRow;
  readonly attemptId: string;
}

export type Engine = ReturnType<typeof createEngine>;

type Told =
  | { readonly is: "started"; readonly attempt: string; readonly pid: number; readonly at: number }
  | {
      readonly is: "ended";
      readonly attempt: string;
      readonly end: AttemptEnd | ReportedEnd;
      readonly onDurable?: () => void;
    };

const retryMs = 1_000;
/** A start waits so long for a commit it can share: a short task's end, most often. */
const startedLagMs = 20;
/** A clock that people set is looked at again after so long. */
const lookAgainMs = 30_000;

/**
 * One round: what the runners told and what can start now, in one write; then the orders. Reports stay in memory until
 * their write succeeds, and a runner repeats an end until it is told to forget it, so none is lost at any point between.
 */
export function createEngine(parts: EngineParts) {
  const { clock, log, store, lifecycle, tasks } = parts;
  const folder = createAttemptsFolder(parts.dataDir, parts.bootId);
  const dispatch = createDispatcher({ ...parts, origin: folder.origin });
  const round = createWake(runRound);
  let told: Told[] = [];
  let timer: Timer | null = null;
  let startedTimer: Timer | null = null;
  let isStopping = false;
  /** Writes that dispatch at their end. */
  const requesting = new WeakSet<object>();
  /** Every slot was taken when it was last tried. Only a hint that spares requests a search: each round looks again. */
  let wasFull = false;

  const executor = createExecutor({
    ...parts,
    clock: parts.processClock,
    onReport: hear,
    onRunnersChanged: () => {
      recovery.run();
      round.wake();
    },
  });
  const recovery = createRecovery({
    ...parts,
    clock: parts.processClock,
    executor,
    folder,
    graceMsOf,
    repeatOrder,
    repeatCancel: (run) => {
      if (run.attemptId !== null) executor.orderCancel(run.attemptId, graceMsOf(run));
    },
    recordEnd: (attemptId, end) =>
      new Promise((resolve) => {
        told.push({ is: "ended", attempt: attemptId, end, onDurable: resolve });
        round.wake();
      }),
  });

  return {
    start: async (): Promise<void> => {
      folder.open();
      await executor.start();
      recovery.run();
      round.wake();
    },
    wake: round.wake,
    /** A run was requested: what can start is dispatched in the same write, which saves it a wait for the disk. */
    onRunRequested: (unit: Unit<DispatchRequested>): void => {
      if (!wasFull) requestDispatch(unit);
    },
    onDispatchRequested: (unit: Unit<RunFact>): void => {
      requesting.delete(unit);
      if (parts.availability.isAvailable()) wasFull = dispatch(unit);
    },
    /** Once the attempt is durable. */
    onDispatched: ({ runId }: { readonly runId: string }): void => {
      const run = store.find(runId);
      if (run?.state === "dispatching") repeatOrder(run);
    },
    cancel: executor.orderCancel,
    /** Makes `attempts/` again where it was removed; true if it was. */
    restoreFolder: folder.restore,
    removeOutput: (attemptIds: readonly string[]): void => {
      removeKept(parts.dataDir, attemptIds).catch((error: unknown) =>
        log.warn("output.not_removed", { error: describeError(error) }),
      );
    },
    sweepOutput: (): Promise<number> => sweepKept(parts.dataDir, store),
    stop: (how = { hasStarted: true }): void => {
      isStopping = true;
      parts.availability.stop();
      timer?.cancel();
      startedTimer?.cancel();
      round.stop();
      recovery.stop();
      executor.stop(how);
    },
  };

  function hear(report: Exclude<Report, { readonly is: "hello" | "listed" }>): void {
    switch (report.is) {
      case "started":
        told.push(report);
        startedTimer ??= parts.processClock.after(startedLagMs, round.wake);
        return;
      case "ended":
        told.push(report);
        return round.wake();
      case "returned":
        log.warn("attempt.returned", { attempt_id: report.attempt, why: report.why });
        recovery.noteUnclaimed(report.attempt);
        parts.processClock.after(retryMs, recovery.run);
        return;
      case "refused":
        log.warn("attempt.refused", { attempt_id: report.attempt, why: report.why });
        if (report.why === "claimed") return recovery.run();
        parts.processClock.after(retryMs, recovery.run);
    }
  }

  function runRound(): void {
    if (isStopping) return;
    startedTimer?.cancel();
    startedTimer = null;
    const batch = told;
    told = [];
    const begunAt = clock.now();
    writeRound(batch);
    wakeForThoseAfter(begunAt);
  }

  /** All in one write. When that fails each report has its own, so that one that cannot be written holds up no other. */
  function writeRound(batch: readonly Told[]): void {
    try {
      parts.write((unit) => {
        for (const report of batch) enter(unit, report);
        requestDispatch(unit);
      });
      return batch.forEach(acknowledge);
    } catch (error) {
      log.error("engine.round_failed", { error: describeError(error) });
      parts.processClock.after(retryMs, round.wake);
      if (isStorageFailure(error)) {
        told = [...batch, ...told];
        return;
      }
    }
    for (const report of batch) {
      if (succeeds(() => parts.write((unit) => enter(unit, report)))) acknowledge(report);
      else told.push(report);
    }
    succeeds(() => parts.write(requestDispatch));
  }

  /** Once a write, however many runs it requests. */
  function requestDispatch(unit: Unit<DispatchRequested>): void {
    if (requesting.has(unit)) return;
    requesting.add(unit);
    unit.record({ name: "dispatch.requested" });
  }

  function enter(unit: Unit<RunFact>, report: Told): void {
    if (report.is === "started") lifecycle.markStarted(unit, report.attempt, report);
    else lifecycle.endAttempt(unit, report.attempt, report.end);
  }

  function acknowledge(report: Told): void {
    if (report.is !== "ended") return;
    executor.orderForget(report.attempt);
    report.onDurable?.();
  }

  function graceMsOf(run: RunRow): number {
    return tasks.find(run.taskId)?.killGraceMs ?? 0;
  }

  /** A specification that cannot be made ends this attempt, not the round: a sealed value may be damaged. */
  function orderStart({ run, task, attemptId }: StartOrder): void {
    try {
      executor.orderStart(attemptId, attemptSpec(parts, task, run));
    } catch (error) {
      log.error("attempt.unspecified", { run_id: run.id, error: describeError(error) });
      const now = clock.now();
      const none = { written: 0, cut: 0 };
      const detail = "its sealed environment or standard input cannot be opened";
      const end = {
        cause: "spawn_error",
        exitCode: null,
        signal: null,
        detail,
        pid: null,
        startedAt: null,
        endedAt: now,
        durationMs: 0,
        stdout: none,
        stderr: none,
      } as const;
      told.push({ is: "ended", attempt: attemptId, end });
      round.wake();
    }
  }

  function repeatOrder(run: RunRow): void {
    if (run.attemptId === null || !parts.availability.isAvailable()) return;
    if (run.state === "cancelling") return executor.orderCancel(run.attemptId, 0);
    const task = tasks.find(run.taskId);
    if (task !== undefined) orderStart({ run, task, attemptId: run.attemptId });
  }

  /**
   * For runs that wait for their time: a later start, or the pause between two attempts. Counted from before the round
   * looked: one that came due while it was at work must not fall between the two.
   */
  function wakeForThoseAfter(begunAt: Instant): void {
    timer?.cancel();
    try {
      const next = store.findNextStart(begunAt);
      timer = next === null ? null : clock.after(Math.min(next - clock.now(), lookAgainMs), round.wake);
    } catch (error) {
      log.error("engine.round_failed", { error: describeError(error) });
      timer = parts.processClock.after(retryMs, round.wake);
    }
  }
}

/** For what was just tried together and logged: whether it works alone. */
function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
