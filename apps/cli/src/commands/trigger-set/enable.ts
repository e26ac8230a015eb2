import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "trigger set",
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.enable(set.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [["belfry trigger-set enable Agents", "accept the keys of all members"]],
});
