export type WatcherFact =
  | { readonly name: "watcher.created"; readonly watcherId: string }
  | { readonly name: "watcher.updated"; readonly watcherId: string; readonly changed: readonly string[] }
  /** With the name, because a deleted watcher has no row. */
  | { readonly name: "watcher.deleted"; readonly watcherId: string; readonly watcherName: string };
