import type { FilesystemWatcher } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find, type ResourceKind } from "./find.ts";

export function watcherKind(client: AnyClient): ResourceKind<FilesystemWatcher> {
  return {
    noun: "watcher",
    idPrefix: "wch",
    get: (id) => client.watchers.get(id),
    search: (part) => client.watchers.list(part === null ? {} : { q: part }),
    // no two watchers share a name
    pathOf: (watcher) => watcher.name,
  };
}

export function findWatcher(client: AnyClient, typed: string): Promise<FilesystemWatcher> {
  return find(watcherKind(client), typed);
}
