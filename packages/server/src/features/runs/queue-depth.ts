import { limits } from "@belfry/contract";
import type { Unit } from "../../kernel/storage/write.ts";
import type { RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

export type QueueDepth = ReturnType<typeof createQueueDepth>;

/**
 * Counts the queued runs of a task within a write. It queries the rows once, and again only after a change that was not
 * one of its own inserts, or after a write was undone. A schedule may request ten thousand runs in one write: that
 * takes 0.3 s, and would take 0.8 s with a query for each run.
 */
export function createQueueDepth(store: Pick<RunStore, "countQueuedOf" | "countStateChanges">) {
  const depths = new Map<string, number>();
  /** The store's count of changes at the time of `depths`. */
  let changes = 0;
  const forget = (): void => depths.clear();

  const depthOf = (unit: Unit<RunFact>, taskId: string): number => {
    unit.onUndo(forget);
    if (store.countStateChanges() !== changes) forget();
    changes = store.countStateChanges();
    const known = depths.get(taskId);
    if (known !== undefined) return known;
    const depth = store.countQueuedOf(taskId);
    depths.set(taskId, depth);
    return depth;
  };

  return {
    isFull: (unit: Unit<RunFact>, taskId: string): boolean => depthOf(unit, taskId) >= limits.queuedRunsPerTaskMax,
    /** Inserts one run and counts it. */
    insert: (unit: Unit<RunFact>, taskId: string, insertOne: () => void): void => {
      const depth = depthOf(unit, taskId);
      insertOne();
      depths.set(taskId, depth + 1);
      changes = store.countStateChanges();
    },
  };
}
