import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "trigger set",
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.delete(set.id),
  done: "Deleted",
  examples: [["belfry trigger-set delete Agents", "delete the set; all its keys stop working"]],
});
