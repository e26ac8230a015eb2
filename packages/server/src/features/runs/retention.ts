import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import type { HistoryGrown, RunEnded, RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";
import { keptBytesOf } from "./table.ts";

/** The most runs that one write removes, so that it does not block the daemon; the next write continues. */
const stepMax = 100;
/** A write that has removed so many still removes this many for each end of a run, so that the history shrinks nevertheless. */
const stepMin = 2;
/** How long the history of a deleted task is kept. */
const orphanAgeMs = 90 * 86_400_000;

export type Retention = ReturnType<typeof createRetention>;

export interface RetentionDeps {
  readonly store: RunStore;
  readonly tasks: Tasks;
  /** Whether nothing may be removed: nobody has seen yet what the history of data from elsewhere contains. */
  readonly isFromElsewhere: () => boolean;
}

export function createRetention({ store, tasks, isFromElsewhere }: RetentionDeps) {
  /** The runs that ended in each write. */
  const endedIn = new WeakMap<object, Set<string>>();
  /** How many runs each write has removed. The ends of many tasks may come in one write. */
  const removedIn = new WeakMap<object, number>();

  /** Removes a run and returns the size of the output that was kept of it. */
  const remove = (unit: Unit<RunFact>, taskId: string, id: string): number => {
    const attempts = store.listAttempts(id);
    const bytes = attempts.reduce((sum, attempt) => sum + keptBytesOf(attempt), 0);
    store.remove({ id, taskId });
    tasks.addKeptBytes(unit, taskId, -bytes);
    removedIn.set(unit, (removedIn.get(unit) ?? 0) + 1);
    unit.record({ name: "run.deleted", runId: id, taskId, attemptIds: attempts.map((attempt) => attempt.id) });
    return bytes;
  };

  const listDoomed = (
    taskId: string,
    task: TaskRow | undefined,
    { now, limit }: { readonly now: Instant; readonly limit: number },
  ): Set<string> => {
    const before: Instant = now - (task?.retentionAgeMs ?? orphanAgeMs);
    const tooMany = task === undefined ? [] : store.listBeyond(taskId, task.retentionRuns, limit);
    return new Set([...tooMany, ...store.listOlder(taskId, before, limit)].map((row) => row.id));
  };

  /** Whether `prune` may find something to remove. Most tasks have nothing, and a read is cheaper than a transaction. */
  const hasExcess = (taskId: string, now: Instant): boolean => {
    const task = tasks.find(taskId);
    if (task !== undefined && tasks.keptBytesOf(taskId) > task.retentionBytes) return true;
    return listDoomed(taskId, task, { now, limit: 1 }).size > 0;
  };

  /** Returns how many runs it has removed. */
  const prune = (unit: Unit<RunFact>, taskId: string): number => {
    const task = tasks.find(taskId);
    const max = Math.max(stepMin, stepMax - (removedIn.get(unit) ?? 0));
    const ended = endedIn.get(unit) ?? new Set();
    const listed = listDoomed(taskId, task, { now: unit.now, limit: max + ended.size });
    const doomed = [...listed].filter((id) => !ended.has(id)).slice(0, max);
    for (const id of doomed) remove(unit, taskId, id);
    return doomed.length + (task === undefined ? 0 : pruneBytes(unit, task, max - doomed.length));
  };

  /**
   * Removes the oldest runs while too much output is kept. The newest that was not skipped stays, however much it wrote,
   * and so do the runs that ended in this write.
   */
  const pruneBytes = (unit: Unit<RunFact>, { id: taskId, retentionBytes }: TaskRow, max: number): number => {
    let excess = tasks.keptBytesOf(taskId) - retentionBytes;
    if (excess <= 0) return 0;
    const excluded = new Set(endedIn.get(unit));
    const newest = store.findNewestEnd(taskId, Number.MAX_SAFE_INTEGER);
    if (newest !== undefined) excluded.add(newest.id);
    let removed = 0;
    for (const { id } of store.listOldest(taskId, max + excluded.size)) {
      if (excess <= 0 || removed === max) break;
      if (excluded.has(id)) continue;
      excess -= remove(unit, taskId, id);
      removed++;
    }
    return removed;
  };

  return {
    prune,
    hasExcess,
    onRunEnded: (unit: Unit<HistoryGrown>, { taskId, runId }: RunEnded): void => {
      const ended = endedIn.get(unit);
      if (ended === undefined) endedIn.set(unit, new Set([runId]));
      else ended.add(runId);
      unit.record({ name: "history.grown", taskId });
    },
    /** Prunes the task's history in the transaction of each end, but never the runs that end in it. */
    onHistoryGrown: (unit: Unit<RunFact>, { taskId }: HistoryGrown): void => {
      if (!isFromElsewhere()) prune(unit, taskId);
    },
    /** Lists all tasks with runs. The old runs of a task that no longer runs are not pruned by the end of a run. */
    listTaskIds: store.listTaskIds,
  };
}
