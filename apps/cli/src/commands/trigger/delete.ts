import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.delete(trigger.id),
  done: (trigger) => `Deleted the trigger ${JSON.stringify(trigger.name)}`,
  examples: [['belfry trigger delete "Deploy from CI"', "its key is worthless from then on"]],
});
