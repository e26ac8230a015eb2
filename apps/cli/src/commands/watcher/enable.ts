import { argument } from "../../arguments.ts";
import { findWatcher } from "../../find/watcher.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "watcher",
  argument: argument.watcher,
  find: findWatcher,
  act: (client, watcher) => client.watchers.enable(watcher.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [["belfry watcher enable Inbox", "start runs for changes from now on"]],
});
