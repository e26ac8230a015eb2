import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.enable(set.id),
  done: (set) => `Enabled the Trigger Set ${JSON.stringify(set.name)}`,
  examples: [["belfry trigger-set enable Agents", "every member at once"]],
});
