import { limits } from "@belfry/contract";
import type { Unit } from "../../kernel/storage/write.ts";
import type { RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

export type QueueCount = ReturnType<typeof createQueueCount>;

/**
 * How many runs of a task wait, as the write that asks sees it. It asks the rows, and then only again when something but
 * its own requests has changed them, or a write is undone. A schedule may request ten thousand runs in one write: that takes
 * 0.3 s, and 0.8 s with a query each.
 */
export function createQueueCount(store: Pick<RunStore, "countQueuedOf" | "countStateChanges">) {
  const queuedOf = new Map<string, number>();
  /** The store's own count of changes when those were true. */
  let changes = 0;
  const forget = (): void => queuedOf.clear();

  const count = (unit: Unit<RunFact>, taskId: string): number => {
    unit.onUndo(forget);
    if (store.countStateChanges() !== changes) forget();
    changes = store.countStateChanges();
    const known = queuedOf.get(taskId);
    if (known !== undefined) return known;
    const queued = store.countQueuedOf(taskId);
    queuedOf.set(taskId, queued);
    return queued;
  };

  return {
    isFull: (unit: Unit<RunFact>, taskId: string): boolean => count(unit, taskId) >= limits.queuedRunsPerTaskMax,
    /** Inserts one more, and goes on counting from there. */
    insert: (unit: Unit<RunFact>, taskId: string, insertOne: () => void): void => {
      const queued = count(unit, taskId);
      insertOne();
      queuedOf.set(taskId, queued + 1);
      changes = store.countStateChanges();
    },
  };
}
