import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.disable(set.id),
  done: (set) => `Disabled the Trigger Set ${JSON.stringify(set.name)}`,
  examples: [["belfry trigger-set disable Agents", "every member at once"]],
});
