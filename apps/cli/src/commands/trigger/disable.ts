import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.disable(trigger.id),
  done: (trigger) => `Disabled the trigger ${JSON.stringify(trigger.name)}`,
  examples: [['belfry trigger disable "Deploy from CI"', "its key stays, and is refused"]],
});
