import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "trigger set",
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.disable(set.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [["belfry trigger-set disable Agents", "reject the keys of all members"]],
});
