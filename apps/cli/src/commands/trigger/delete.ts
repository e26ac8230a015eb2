import { argument } from "../../arguments.ts";
import { findTrigger } from "../../find/trigger.ts";
import { defineLocalAction } from "../resource-action.ts";

export const command = defineLocalAction({
  noun: "trigger",
  argument: argument.trigger,
  find: findTrigger,
  act: (client, trigger) => client.triggers.delete(trigger.id),
  done: "Deleted",
  examples: [['belfry trigger delete "Deploy from CI"', "delete a trigger; its key stops working"]],
});
