import type { Hint } from "@belfry/contract";
import type { ModuleEvents } from "../../kernel/module.ts";
import type { WatcherFact } from "./facts.ts";
import type { ObservationOf } from "./observation.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";
import { viewHealth } from "./view.ts";

export interface WatcherEventDeps {
  readonly store: Pick<WatcherStore, "find">;
  readonly observationOf: ObservationOf;
}

/** Never with a path, a pattern or a matched file. */
export function watcherEvents({ store, observationOf }: WatcherEventDeps): ModuleEvents<WatcherFact> {
  const event =
    (verb: "created" | "updated") =>
    ({ watcherId }: { readonly watcherId: string }): Hint | null => {
      const row = store.find(watcherId);
      // another write of the same commit may have deleted it: then only the deletion has an event
      return row === undefined ? null : watcherEvent(verb, row, observationOf(row));
    };
  return {
    kind: "filesystem_watcher",
    of: {
      "watcher.created": event("created"),
      "watcher.updated": event("updated"),
      "watcher.deleted": ({ watcherId: id, watcherName: name }) => ({
        kind: "filesystem_watcher",
        verb: "deleted",
        id,
        name,
      }),
    },
  };
}

/** The event of a watcher whose health has changed. Health is in no row, so it has no fact. */
export const healthEvent = (row: WatcherRow, { health }: Parameters<typeof watcherEvent>[2]): Hint =>
  watcherEvent("updated", row, { health });

function watcherEvent(
  verb: "created" | "updated",
  { id, name }: Pick<WatcherRow, "id" | "name">,
  { health }: Pick<ReturnType<ObservationOf>, "health">,
): Hint {
  return { kind: "filesystem_watcher", verb, id, name, health: viewHealth(health) };
}
