import { limits } from "@belfry/contract";
import type { RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

export type QueueDepth = ReturnType<typeof createQueueDepth>;

/**
 * How many runs of each task wait, kept in memory after each commit: every view of a task asks whether its queue is full,
 * and a query for that would double the cost of reading one. Requests themselves ask the rows.
 */
export function createQueueDepth(store: RunStore) {
  const waiting = new Map(store.countQueued().map(({ taskId, count }) => [taskId, count]));
  const add = (taskId: string, count: number): void => {
    const depth = (waiting.get(taskId) ?? 0) + count;
    if (depth === 0) waiting.delete(taskId);
    else waiting.set(taskId, depth);
  };

  return {
    isFull: (taskId: string): boolean => (waiting.get(taskId) ?? 0) >= limits.queuedRunsPerTaskMax,
    onFact: (fact: RunFact): void => {
      if (fact.name === "run.requested" || fact.name === "run.retrying") add(fact.taskId, 1);
      if (fact.name === "run.dispatched" || (fact.name === "run.ended" && fact.from === "queued")) add(fact.taskId, -1);
    },
  };
}
