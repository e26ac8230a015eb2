import type { Unit } from "../../kernel/storage/write.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { RunStore } from "../runs/index.ts";

/*
 * Whether a round of the engine searches the queue for runs that can start. Some rounds have another task only: one that
 * writes the reports of starts, which free no slot, and one that follows a write which has searched at its end. Each such
 * round would find what the last search left. Whenever this is in doubt, the round searches.
 */
export function createSearchNeed(store: Pick<RunStore, "countStateChanges">) {
  let isWanted = true;
  /** The number of changes of runs when the last search had ended; null if that search was undone. */
  let changesAtSearch: number | null = null;
  /** All runs that were due at this time have been considered. */
  let searchedUntil: Instant = 0;
  let nextDueAt: Instant | null = null;

  return {
    want: (): void => void (isWanted = true),
    /** Notes a change of runs, after its commit. */
    noteChange: (): void => {
      if (store.countStateChanges() !== changesAtSearch) isWanted = true;
    },
    /** Notes the end of a search. */
    noteSearch: (unit: Pick<Unit, "onUndo">): void => {
      unit.onUndo(() => (changesAtSearch = null));
      changesAtSearch = store.countStateChanges();
    },
    /** Whether the round that begins at this time searches. Wishes from now on are for the next one. */
    take: (begunAt: Instant): boolean => {
      // when the clock is set back, the times of the pauses move with it
      const isSetBack = begunAt < searchedUntil;
      const isNeeded = isWanted || isSetBack || (nextDueAt !== null && nextDueAt <= begunAt);
      isWanted = false;
      if (isNeeded) searchedUntil = begunAt;
      return isNeeded;
    },
    /** Finds when the next run is due that no search has considered. */
    findNextDue: (find: (since: Instant) => Instant | null): Instant | null => (nextDueAt = find(searchedUntil)),
  };
}
