import { limits } from "@belfry/contract";
import type { Unit } from "../../kernel/write.ts";
import type { RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

interface Counted {
  readonly taskId: string;
  readonly queued: number;
  /** The store's own count of changes when this was true. */
  readonly changes: number;
}

export type QueueCount = ReturnType<typeof createQueueCount>;

/**
 * How many runs of a task wait, as one write sees it. It asks the rows, and then only again when something but its own
 * requests has changed them: a schedule may ask for ten thousand runs in one write.
 */
export function createQueueCount(store: Pick<RunStore, "countQueuedOf" | "countStateChanges">) {
  // goes with the write: one that is undone takes its count along
  const countedIn = new WeakMap<Unit<RunFact>, Counted>();
  const count = (unit: Unit<RunFact>, taskId: string): number => {
    const known = countedIn.get(unit);
    const changes = store.countStateChanges();
    if (known?.taskId === taskId && known.changes === changes) return known.queued;
    const queued = store.countQueuedOf(taskId);
    countedIn.set(unit, { taskId, queued, changes });
    return queued;
  };

  return {
    isFull: (unit: Unit<RunFact>, taskId: string): boolean => count(unit, taskId) >= limits.queuedRunsPerTaskMax,
    /** Inserts one more, and goes on counting from there. */
    insert: (unit: Unit<RunFact>, taskId: string, insertOne: () => void): void => {
      const queued = count(unit, taskId);
      insertOne();
      countedIn.set(unit, { taskId, queued: queued + 1, changes: store.countStateChanges() });
    },
  };
}
