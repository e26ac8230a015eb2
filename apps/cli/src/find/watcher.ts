import type { Client, FilesystemWatcher } from "@belfry/client";
import { find } from "./find.ts";

export function findWatcher(client: Client, typed: string): Promise<FilesystemWatcher> {
  return find(
    {
      noun: "watcher",
      idPrefix: "wch",
      get: (id) => client.watchers.get(id),
      search: (part) => client.watchers.list(part === null ? {} : { q: part }),
      // no two watchers share a name
      pathOf: (watcher) => watcher.name,
    },
    typed,
  );
}
