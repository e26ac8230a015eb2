import { createStore, useStore } from "../data/store.ts";

/** The paths of the groups that somebody folded in the timeline, as long as the screens are open. */
const folded = createStore<ReadonlySet<string>>(new Set());

export function useFoldedPaths(): ReadonlySet<string> {
  return useStore(folded);
}

/** Folds the group of a path, or unfolds it. */
export function turnPath(path: string): void {
  const next = new Set(folded.get());
  if (!next.delete(path)) next.add(path);
  folded.set(next);
}
