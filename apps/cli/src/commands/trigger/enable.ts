import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.enable(trigger.id),
  done: (trigger) => `Enabled the trigger ${JSON.stringify(trigger.name)}`,
  examples: [['belfry trigger enable "Deploy from CI"', "let it be fired again"]],
});
