import { argument } from "../../arguments.ts";
import { findWatcher } from "../../find/watcher.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "watcher",
  argument: argument.watcher,
  find: findWatcher,
  act: (client, watcher) => client.watchers.disable(watcher.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [["belfry watcher disable Inbox", "start no runs until the watcher is enabled"]],
});
