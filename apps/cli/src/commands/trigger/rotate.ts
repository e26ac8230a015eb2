import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTrigger } from "../../find/trigger.ts";
import { secretText } from "../../views/trigger.ts";

export const command = defineLocalCommand({
  arguments: [argument.trigger],
  details: "The old key stops working immediately. The audit trail records the change.",
  examples: [['belfry trigger rotate "Deploy from CI"', "replace a leaked key"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const trigger = await findTrigger(client, typed);
    const fireSocket = await findFireSocket(client);
    const rotated = await client.triggers.rotate(trigger.id, { ifMatch: trigger.revision });
    out.answer(
      rotated,
      () =>
        `Replaced the key of trigger ${JSON.stringify(trigger.name)}\n${secretText(rotated, { hint: out.hint, fireSocket })}`,
    );
  },
});
