import type { RunReason } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { explainObstacle, type TaskRow, type Tasks } from "../tasks/index.ts";
import type { RunFact } from "./facts.ts";
import { createQueueDepth } from "./queue-depth.ts";
import { reasonText } from "./reason-text.ts";
import type { Replacement } from "./replacement.ts";
import { causeColumns, type RunSource, soleSource } from "./source.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

export interface RequestDeps {
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly replacement: Replacement;
}

/**
 * The start time of a run that is due at once, however the clock is set, but whose conflicts with other runs are decided
 * only when it is dispatched, like those of a run for a later time.
 */
const undecidedConflict: Instant = 1;

export type Requests = ReturnType<typeof createRequests>;

export function createRequests({ store, tasks, replacement }: RequestDeps) {
  const queue = createQueueDepth(store);

  return {
    /** Requests a run of a task that is ready. The run may still be skipped because of the concurrency limit. */
    requestReady: request,
    /** Requests a manual run. Rejects it without a row if the task is not ready. */
    requestByHand: (unit: Unit<RunFact>, task: TaskRow, scheduledFor: Instant | null): RunRow => {
      const source = soleSource({ trigger: "manual" }, scheduledFor ?? unit.now, unit.now);
      const readiness = tasks.readiness(task);
      // a run for a later time replaces none yet
      const reason = readiness === "ready" && isQueueFull(unit, task, source) ? "dispatch_unavailable" : readiness;
      if (reason !== "ready") throw new AppError("conflict", `${explainObstacle(reason)} (${reason})`);
      return request(unit, task, source);
    },
    /**
     * Requests a run for a due instant. A run that cannot start is recorded as skipped, so that every instant is in
     * exactly one row.
     */
    requestFor: (unit: Unit<RunFact>, task: TaskRow, source: RunSource): RunRow => {
      const former = findFormer(source);
      if (former !== undefined) return former;
      const obstacle = tasks.obstacleOf(task);
      // a held schedule gives up its times; the runs of chains and watchers wait in the queue
      if (obstacle === "held" && source.cause.sourceScheduleId == null) return queueHeld(unit, task, source);
      if (obstacle !== "ready") return skip(unit, task, { source, reason: obstacle });
      if (isQueueFull(unit, task, source)) return skip(unit, task, { source, reason: "queue_full" });
      return request(unit, task, source);
    },
    /** Records due instants as skipped. */
    skipFor: (
      unit: Unit<RunFact>,
      task: TaskRow,
      of: { readonly source: RunSource; readonly reason: RunReason },
    ): RunRow => findFormer(of.source) ?? skip(unit, task, of),
    /** Finds the first span of instants that one run of the schedule records and that ends at or after this instant. */
    findRecordedSpan: (
      scheduleId: string,
      instant: Instant,
    ): { readonly from: Instant; readonly until: Instant } | null => {
      const row = store.findNextOfSchedule(scheduleId, instant);
      return row === undefined ? null : { from: row.coalescedFrom ?? row.scheduledFor, until: row.scheduledFor };
    },
  };

  /** Finds the row that an instant or a source run already has: a clock that was set back may repeat an instant. */
  function findFormer({ cause, scheduledFor }: RunSource): RunRow | undefined {
    const { sourceScheduleId, sourceChainId, sourceRunId } = cause;
    if (sourceScheduleId != null) return store.findByInstant(sourceScheduleId, scheduledFor);
    if (sourceChainId != null && sourceRunId != null) return store.findByEnd(sourceChainId, sourceRunId);
    return undefined;
  }

  /** Whether the task's queue cannot take this run. A run that replaces a waiting one takes its place. */
  function isQueueFull(unit: Unit<RunFact>, task: TaskRow, source: RunSource): boolean {
    if (!queue.isFull(unit, task.id)) return false;
    return source.notBefore > unit.now || !replacement.replacesQueued(task);
  }

  function request(unit: Unit<RunFact>, task: TaskRow, source: RunSource): RunRow {
    // a run for a later time is checked when it is due
    if (source.notBefore <= unit.now) {
      if (task.onConflict === "skip" && store.countContenders(task, unit.now) >= tasks.poolOf(task).max)
        return skip(unit, task, { source, reason: "overlap" });
      if (task.onConflict === "replace") replacement.replaceOlder(unit, task);
    }
    return insert(unit, newRow(unit, task, source));
  }

  /** Queues the run of a held task. Active runs continue, so its conflicts are decided after the release. */
  function queueHeld(unit: Unit<RunFact>, task: TaskRow, source: RunSource): RunRow {
    if (queue.isFull(unit, task.id)) return skip(unit, task, { source, reason: "queue_full" });
    const row = newRow(unit, task, source);
    return insert(unit, { ...row, notBefore: Math.max(row.notBefore, undecidedConflict) });
  }

  function insert(unit: Unit<RunFact>, row: RunRow): RunRow {
    queue.insert(unit, row.taskId, () => store.insert(row));
    unit.record({ name: "run.requested", runId: row.id, taskId: row.taskId });
    return row;
  }

  /** Records a skipped run. Consecutive skips of a schedule or a watcher for the same reason are merged into one row. */
  function skip(
    unit: Unit<RunFact>,
    task: TaskRow,
    of: { readonly source: RunSource; readonly reason: RunReason },
  ): RunRow {
    const { source, reason } = of;
    const former = findPrevious(source);
    if (former?.state === "skipped" && former.reason === reason) {
      const change = {
        scheduledFor: source.scheduledFor,
        coalesced: former.coalesced + 1 + source.coalesced,
        coalescedFrom: former.coalescedFrom ?? former.scheduledFor,
        endedAt: unit.now,
      };
      store.update(former, change);
      unit.record({ name: "run.coalesced", runId: former.id, taskId: task.id });
      return { ...former, ...change };
    }
    const row: RunRow = {
      ...newRow(unit, task, source),
      state: "skipped",
      reason,
      reasonText: reasonText(reason),
      endedAt: unit.now,
    };
    store.insert(row);
    unit.record({ name: "run.ended", runId: row.id, taskId: task.id, outcome: null, from: null, end: row });
    return row;
  }

  /** The row of the same schedule or watcher before this one. */
  function findPrevious({ cause, scheduledFor }: RunSource): RunRow | undefined {
    const { sourceScheduleId, sourceWatcherId } = cause;
    if (sourceScheduleId != null) return store.findNewestOfSchedule(sourceScheduleId, scheduledFor);
    if (sourceWatcherId != null) return store.findNewestOfWatcher(sourceWatcherId, scheduledFor);
    return undefined;
  }

  function newRow(unit: Unit<RunFact>, task: TaskRow, source: RunSource): RunRow {
    return {
      id: source.runId ?? newId("run"),
      taskId: task.id,
      taskName: task.name,
      groupId: task.groupId,
      groupName: tasks.groupNameOf(task),
      state: "queued",
      outcome: null,
      reason: null,
      reasonText: null,
      exitCode: null,
      signal: null,
      attempt: 0,
      attemptsMax: task.retry.max_attempts,
      ...causeColumns(source.cause),
      scheduledFor: source.scheduledFor,
      queuedAt: unit.now,
      // a run for now must not wait if the clock is set back while it is queued
      notBefore: source.notBefore <= unit.now ? 0 : source.notBefore,
      priority: task.priority,
      startedAt: null,
      endedAt: null,
      durationMs: null,
      coalesced: source.coalesced,
      coalescedFrom: source.coalescedFrom,
      stdoutBytes: 0,
      stderrBytes: 0,
      stdoutCut: 0,
      stderrCut: 0,
      pid: null,
      host: null,
      attemptId: null,
      cancelRequestedAt: null,
      cancelCause: null,
    };
  }
}
