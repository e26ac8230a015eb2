import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineLocalAction } from "../resource-action.ts";

export const command = defineLocalAction({
  noun: "trigger set",
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.delete(set.id),
  done: "Deleted",
  examples: [["belfry trigger-set delete Agents", "delete the set; all its keys stop working"]],
});
