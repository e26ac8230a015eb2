import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTrigger } from "../../find/trigger.ts";
import { flag } from "../../options.ts";
import { secretText } from "../../views/trigger.ts";

export const command = defineLocalCommand({
  arguments: [argument.trigger],
  options: { keyOnly: flag("--key-only", "print only the key") },
  details: "The output contains a secret. The audit trail records each use of this command.",
  examples: [
    ['belfry trigger reveal "Deploy from CI"', "print the key and how to use it"],
    [
      'belfry trigger reveal "Deploy from CI" --key-only | belfry trigger fire',
      "fire the trigger from the command line",
    ],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const trigger = await findTrigger(client, typed);
    const fireSocket = await findFireSocket(client);
    const revealed = await client.triggers.reveal(trigger.id);
    out.answer(revealed, () =>
      options.keyOnly === true ? revealed.key : secretText(revealed, { hint: out.hint, fireSocket }),
    );
  },
});
