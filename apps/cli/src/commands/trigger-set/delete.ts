import { argument } from "../../arguments.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.triggerSet,
  find: findTriggerSet,
  act: (client, set) => client.triggerSets.delete(set.id),
  done: (set) => `Deleted the Trigger Set ${JSON.stringify(set.name)}`,
  examples: [["belfry trigger-set delete Agents", "no key of it is worth anything from then on"]],
});
