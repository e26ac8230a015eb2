import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Tasks } from "../tasks/index.ts";
import type { HistoryGrown, RunEnded, RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

/** The most rows that one write removes, so that it does not block the daemon; the next write continues. */
const stepMax = 100;
/** The retention of a deleted task's history. */
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
    /** In the transaction of each end, prunes the task's history, but never the run that just ended. */
    onHistoryGrown: (unit: Unit<RunFact>, { taskId, runId }: HistoryGrown): void => void prune(unit, taskId, runId),
    /** For tasks that no longer run, whose old runs no end would prune. */
    listTaskIds: store.listTaskIds,
  };
}
