import type { FilesystemWatcher } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find } from "./find.ts";

export function findWatcher(client: AnyClient, typed: string): Promise<FilesystemWatcher> {
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
