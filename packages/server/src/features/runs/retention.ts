import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Tasks } from "../tasks/index.ts";
import type { HistoryGrown, RunEnded, RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

/** The most rows that one write removes, so that it does not block the daemon; the next write continues. */
const stepMax = 100;
/** How long the history of a deleted task is kept. */
const orphanAgeMs = 90 * 86_400_000;

export type Retention = ReturnType<typeof createRetention>;

export function createRetention({ store, tasks }: { readonly store: RunStore; readonly tasks: Tasks }) {
  const prune = (unit: Unit<RunFact>, taskId: string, excludedId: string | null = null): number => {
    const task = tasks.find(taskId);
    const before: Instant = unit.now - (task?.retentionAgeMs ?? orphanAgeMs);
    const tooMany = task === undefined ? [] : store.listBeyond(taskId, task.retentionRuns, stepMax);
    const doomed = new Set([...tooMany, ...store.listOlder(taskId, before, stepMax)].map((row) => row.id));
    if (excludedId !== null) doomed.delete(excludedId);
    for (const id of doomed) {
      const attemptIds = store.listAttempts(id).map((attempt) => attempt.id);
      store.remove(id);
      unit.record({ name: "run.deleted", runId: id, taskId, attemptIds });
    }
    return doomed.size;
  };

  return {
    prune,
    onRunEnded: (unit: Unit<HistoryGrown>, { taskId, runId }: RunEnded): void =>
      unit.record({ name: "history.grown", taskId, runId }),
    /** Prunes the task's history in the transaction of each end, but never the run that just ended. */
    onHistoryGrown: (unit: Unit<RunFact>, { taskId, runId }: HistoryGrown): void => void prune(unit, taskId, runId),
    /** Lists all tasks with runs. The old runs of a task that no longer runs are not pruned by the end of a run. */
    listTaskIds: store.listTaskIds,
  };
}
