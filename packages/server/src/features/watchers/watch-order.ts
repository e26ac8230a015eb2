import type { WatchOrder } from "./observing/messages.ts";
import type { WatcherRow } from "./table.ts";

/** What the observer needs of a watcher's row. */
export function orderOf(watcher: WatcherRow): WatchOrder {
  return {
    id: watcher.id,
    kind: watcher.kind,
    path: watcher.path,
    pattern: watcher.pattern ?? "*",
    isRecursive: watcher.recursive,
    onStart: watcher.onStart,
    observation: watcher.observation,
    observedFrom: watcher.observedFrom,
    debounceMs: watcher.debounceMs,
    stabilityMs: watcher.stabilityMs,
    maxWaitMs: watcher.maxWaitMs,
  };
}
