import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "trigger",
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.delete(trigger.id),
  done: "Deleted",
  examples: [['belfry trigger delete "Deploy from CI"', "delete a trigger; its key stops working"]],
});
