import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTrigger } from "../../find/trigger.ts";
import { flag } from "../../options.ts";
import { secretText } from "../../views/trigger.ts";

export const command = defineCommand({
  arguments: [argument.trigger],
  options: { keyOnly: flag("--key-only", "the key and nothing else, to be piped") },
  details: "Prints a secret, and the audit trail says that you looked.",
  examples: [
    ['belfry trigger reveal "Deploy from CI"', "the key, and how to use it"],
    ['belfry trigger reveal "Deploy from CI" --key-only | belfry trigger fire', "fire it yourself"],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const trigger = await findTrigger(client, typed);
    const revealed = await client.triggers.reveal(trigger.id);
    out.answer(revealed, () => (options.keyOnly === true ? revealed.key : secretText(revealed)));
  },
});
