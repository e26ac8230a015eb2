import type { Clock } from "../../kernel/time/clock.ts";
import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import { createLoop, type Next } from "../../kernel/time/loop.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import { leaveAttemptCgroup } from "../../runner/processes/own-cgroup.ts";
import { startVersionOf } from "../../runner/protocol/messages.ts";
import type { Lifecycle, Pauses, Replacement, RunFact, RunRow, RunStore } from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { attemptSpec, needsOf, type SpecDeps, unspecifiedEnd } from "./attempt-spec.ts";
import { createAttemptsFolder } from "./attempts-folder.ts";
import type { Availability } from "./availability.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { DispatchRequested } from "./facts.ts";
import { createOrders } from "./orders.ts";
import { createOutputRemoval, type OutputRemovalParts } from "./output/output-removal.ts";
import { forgetAbandoned, sweepKept } from "./output/output-sweep.ts";
import { createPendingReports, type PendingReport } from "./pending-reports.ts";
import { createRecovery } from "./recovery.ts";
import type { AttemptReport, OpenRunners } from "./runners/runners.ts";
import { createSearchNeed } from "./search-need.ts";
import type { ListWaitingTasks } from "./store.ts";

export interface EngineParts extends SpecDeps, OutputRemovalParts {
  readonly clock: Clock;
  /** The clock of processes, which start and end in real time even if a test sets the other clock. */
  readonly processClock: Clock;
  readonly log: Log;
  readonly write: Write<RunFact | DispatchRequested>;
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
  readonly replacement: Replacement;
  readonly listWaitingTasks: ListWaitingTasks;
  readonly pauses: Pauses;
  readonly dataDir: string;
  readonly runsAtOnceMax: number;
  readonly bootId: string;
  readonly availability: Availability;
  readonly openRunners: OpenRunners;
}

/** A run with its attempt. */
interface StartOrder {
  readonly run: RunRow;
  readonly task: TaskRow;
  readonly attemptId: string;
  /** Whether no order to start this attempt was sent before. */
  readonly isNew: boolean;
}

export type Engine = ReturnType<typeof createEngine>;

const retryMs = 1_000;
/** How long a report of a start waits for another commit to join, often that of a short task's end. */
const startedLagMs = 20;
/** A write that requests so many runs announces them to the runner. */
const burstMin = 5;

/**
 * Creates the engine. One round writes the pending reports and dispatches the runs that can start now, in one write;
 * then it sends the orders. It leaves out the search for such runs if there can be none. Reports stay in memory until
 * their write succeeds, and a runner repeats an end until it is ordered to forget it. So no report is lost, whenever a
 * write fails or a process dies.
 */
export function createEngine(parts: EngineParts) {
  const { clock, processClock, log, store, tasks } = parts;
  const folder = createAttemptsFolder(parts.dataDir, parts.bootId);
  const dispatch = createDispatcher({
    ...parts,
    isRunnerTooOld: parts.availability.isRunnerTooOld,
    origin: folder.origin,
  });
  const removal = createOutputRemoval(parts);
  const loop = createLoop({ clock: processClock, calendar: clock, round: runRound });
  /** Writes that dispatch at their end. */
  const requesting = new WeakSet<object>();
  /** The number of runs that a write requests. */
  const requested = new WeakMap<object, number>();
  /** Whether the last search took every slot. This only saves requests a search: each of the others checks again. */
  let wasFull = false;
  const need = createSearchNeed(store);
  /** Whether the round that is running searches the queue. */
  let isSearching = false;

  const reports = createPendingReports({
    ...parts,
    requestDispatch: (unit) => {
      if (isSearching) requestDispatch(unit);
    },
    noteRemoval: removal.note,
    onDurable: (report) => {
      if (report.is !== "ended") return;
      orders.forget(report.attempt);
      report.onDurable?.();
    },
  });

  const runners = parts.openRunners({
    onReport,
    onChanged: () => {
      parts.availability.setRunner(runners.own() !== null);
      recovery.run();
      wake();
    },
    onListed: () => void orders.forgetWithheld(),
  });
  parts.availability.setDelays(runners);
  parts.availability.setRunnerLimits(isRunnerTooOld);
  const orders = createOrders({
    clock: processClock,
    runners,
    // the sweep repeats what fails here
    removeClaim: (attempt) => void forgetAbandoned(parts, attempt).catch(() => {}),
  });
  const recovery = createRecovery({
    ...parts,
    clock: processClock,
    runners,
    orders,
    folder,
    graceMsOf,
    repeatOrder: (run) => order(run, { isNew: false }),
    repeatCancel: (run) => {
      if (run.attemptId !== null) orders.cancel(run.attemptId, graceMsOf(run));
    },
    recordEnd: (attempt, end) => new Promise((onDurable) => addReport({ is: "ended", attempt, end, onDurable })),
  });

  return {
    rounds: loop.rounds,
    start: async (): Promise<void> => {
      leaveAttemptCgroup();
      folder.open();
      removal.start();
      await runners.start();
      recovery.run();
      wake();
    },
    /** Wakes the engine after the commit of a fact. A write that changes runs may have searched the queue at its end. */
    wake: ({ name }: { readonly name: string }): void => {
      if (name.startsWith("run.")) need.noteChange();
      else need.want();
      loop.wake();
    },
    /** Dispatches a requested run in the same write if it can start, which saves a wait for the disk. */
    onRunRequested: (unit: Unit<DispatchRequested>): void => {
      announceBurst(unit);
      if (!wasFull) requestDispatch(unit);
    },
    onDispatchRequested: (unit: Unit<RunFact>): void => {
      requesting.delete(unit);
      parts.pauses.followClock(unit);
      if (!parts.availability.isAvailable()) return;
      wasFull = dispatch(unit);
      need.noteSearch(unit);
    },
    /** Orders the start, once the attempt is durable. */
    onDispatched: ({ runId }: { readonly runId: string }): void => {
      const run = store.find(runId);
      if (run?.state === "dispatching") order(run, { isNew: true });
    },
    cancel: orders.cancel,
    /** Creates `attempts/` again if it was removed; returns whether it was. */
    restoreFolder: folder.restore,
    onRunDeleted: removal.onRunDeleted,
    removeOutput: removal.remove,
    sweepOutput: (stopping: AbortSignal): Promise<number> =>
      sweepKept({ dataDir: parts.dataDir, store, stopping, mayStart: runners.mayStart }),
    listSilentRunners: runners.listSilent,
    listHeldOutputs: runners.listHeldOutputs,
    listPausedStarts: runners.listPausedStarts,
    stop: async (how = { hasStarted: true }): Promise<void> => {
      parts.availability.stop();
      const stopped = [loop.stop(), recovery.stop()];
      runners.stop(how);
      await Promise.all(stopped);
    },
  };

  function onReport(report: AttemptReport): void {
    switch (report.is) {
      case "started":
        recovery.noteStarted(report.attempt);
        reports.add(report);
        return loop.wakeWithin(startedLagMs);
      case "ended":
        recovery.noteStarted(report.attempt);
        return addReport(report);
      case "returned":
        log.warn("attempt.returned", { attempt_id: report.attempt, why: report.why });
        recovery.noteReturned(report.attempt);
        return recovery.runWithin(retryMs);
      case "refused":
        log.warn("attempt.refused", { attempt_id: report.attempt, why: report.why });
        // never at once: a claim that nobody can settle must not make orders and refusals alternate without a pause
        recovery.runWithin(retryMs);
    }
  }

  function addReport(report: PendingReport): void {
    reports.add(report);
    wake();
  }

  function wake(): void {
    need.want();
    loop.wake();
  }

  function runRound(): Next {
    isSearching = need.take(clock.now());
    if (!reports.write()) {
      need.want();
      loop.wakeWithin(retryMs);
    }
    return nextStart();
  }

  /** Tells the runner that many starts follow, while their runs are being written. */
  function announceBurst(unit: object): void {
    const count = (requested.get(unit) ?? 0) + 1;
    requested.set(unit, count);
    if (count === burstMin) runners.own()?.send({ do: "prepare" });
  }

  /** Requests one dispatch per write, however many runs the write requests. */
  function requestDispatch(unit: Unit<DispatchRequested>): void {
    if (requesting.has(unit)) return;
    requesting.add(unit);
    unit.record({ name: "dispatch.requested" });
  }

  function isRunnerTooOld(task: TaskRow): boolean {
    return runners.own()?.startVersions.includes(startVersionOf(needsOf(task))) === false;
  }

  function graceMsOf(run: RunRow): number {
    return tasks.find(run.taskId)?.killGraceMs ?? 0;
  }

  /**
   * Orders the start of an attempt. If a sealed value is damaged, the specification cannot be built: the attempt ends,
   * and the round continues.
   */
  function orderStart({ run, task, attemptId, isNew }: StartOrder): void {
    try {
      if (!orders.start(attemptId, attemptSpec(parts, task, run), { isNew })) recovery.runWithin(retryMs);
    } catch (error) {
      log.error("attempt.unspecified", { run_id: run.id, error: describeError(error) });
      addReport({ is: "ended", attempt: attemptId, end: unspecifiedEnd(clock.now()) });
    }
  }

  /** Orders what the attempt of this run needs by its state. */
  function order(run: RunRow, { isNew }: Pick<StartOrder, "isNew">): void {
    if (run.attemptId === null || !parts.availability.isAvailable()) return;
    if (run.state === "cancelling") return orders.cancel(run.attemptId, 0);
    const task = tasks.find(run.taskId);
    if (task !== undefined) orderStart({ run, task, attemptId: run.attemptId, isNew });
  }

  /**
   * Returns when the next run may start that waits for a later start or for its next attempt. It looks from the start of
   * the last round that searched, so that a run that became due since then is not missed.
   */
  function nextStart(): Next {
    try {
      const at = need.findNextDue(store.findNextStart);
      return at === null ? null : { at };
    } catch (error) {
      log.error("engine.round_failed", { error: describeError(error) });
      need.want();
      return { afterMs: retryMs };
    }
  }
}
