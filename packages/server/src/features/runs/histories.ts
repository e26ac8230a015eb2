import { recentOutcomesMax, recentOutcomesShown } from "@belfry/contract";
import type { TaskHistory } from "../tasks/index.ts";
import type { HistoryStore } from "./history-store.ts";

/** The most tasks whose histories are kept. A full history takes 3 KB. */
const keptMax = 1_000;
const none: ReadonlyMap<string, TaskHistory> = new Map();

export interface HistoriesParts {
  readonly store: HistoryStore;
  /** Whether a write is open: its changes may still be undone. */
  readonly isWriting: () => boolean;
}

export type Histories = ReturnType<typeof createHistories>;

/**
 * Keeps the histories that were read, until a run of their task changes. To read one costs more than the rest of the
 * task, and most tasks of a list have not run since it was read before. A write reads and keeps none of them.
 */
export function createHistories({ store, isWriting }: HistoriesParts) {
  const kept = new Map<string, TaskHistory>();

  const keep = (read: ReadonlyMap<string, TaskHistory>): void => {
    if (kept.size + read.size > keptMax) kept.clear();
    for (const [id, history] of read) kept.set(id, history);
  };

  return {
    readUsualDurations: store.readUsualDurations,
    readHistories: (taskIds: readonly string[], recent = recentOutcomesShown): ReadonlyMap<string, TaskHistory> => {
      const known = isWriting() ? none : kept;
      const unknown = taskIds.filter((id) => !known.has(id));
      const read = unknown.length === 0 ? none : store.readHistories(unknown);
      const found = new Map(taskIds.map((id) => [id, shorten(read.get(id) ?? known.get(id)!, recent)]));
      if (known === kept) keep(read);
      return found;
    },
    /** Forgets the history of a task, because one of its runs changes. */
    forget: (taskId: string): void => void kept.delete(taskId),
  };
}

function shorten(history: TaskHistory, recent: number): TaskHistory {
  if (recent >= recentOutcomesMax || history.recentOutcomes.length <= recent) return history;
  return { ...history, recentOutcomes: history.recentOutcomes.slice(0, recent) };
}
