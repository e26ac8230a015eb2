import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "trigger",
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.enable(trigger.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [['belfry trigger enable "Deploy from CI"', "accept the trigger's key again"]],
});
