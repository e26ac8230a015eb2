import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTrigger } from "../../find/trigger.ts";
import { secretText } from "../../views/trigger.ts";

export const command = defineCommand({
  arguments: [argument.trigger],
  details: "The former key is worthless from the same instant on; the audit trail says that it was replaced.",
  examples: [['belfry trigger rotate "Deploy from CI"', "after a key was seen by others"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const trigger = await findTrigger(client, typed);
    const rotated = await client.triggers.rotate(trigger.id, { ifMatch: trigger.revision });
    out.answer(
      rotated,
      () => `Replaced the key of the trigger ${JSON.stringify(trigger.name)}\n${secretText(rotated)}`,
    );
  },
});
