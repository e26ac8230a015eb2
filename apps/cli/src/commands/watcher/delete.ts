import { argument } from "../../arguments.ts";
import { findWatcher } from "../../find/watcher.ts";
import { defineLocalAction } from "../resource-action.ts";

export const command = defineLocalAction({
  noun: "watcher",
  argument: argument.watcher,
  find: findWatcher,
  act: (client, watcher) => client.watchers.delete(watcher.id),
  done: "Deleted",
  examples: [["belfry watcher delete Inbox", "delete a watcher; runs that it has queued are kept"]],
});
