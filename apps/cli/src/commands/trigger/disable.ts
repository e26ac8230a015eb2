import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "trigger",
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.disable(trigger.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [['belfry trigger disable "Deploy from CI"', "reject the trigger's key until the trigger is enabled"]],
});
