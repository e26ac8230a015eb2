import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTrigger } from "../../find/trigger.ts";
import { renderDetails } from "../../output/details.ts";
import { triggerDetails } from "../../views/trigger.ts";

export const command = defineCommand({
  arguments: [argument.trigger],
  details: "This command does not show the key. To print the key, use: belfry trigger reveal",
  examples: [['belfry trigger show "Deploy from CI"', "show a trigger by its name"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const trigger = await findTrigger(client, typed);
    out.answer(trigger, () => renderDetails(triggerDetails(trigger)));
  },
});
