import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { setSecretsText } from "../../views/trigger-set.ts";

export const command = defineLocalCommand({
  arguments: [argument.triggerSet],
  details: "The old keys stop working immediately. The audit trail records the change.",
  examples: [["belfry trigger-set rotate Agents", "replace every key"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const set = await findTriggerSet(client, typed);
    const fireSocket = await findFireSocket(client);
    const rotated = await client.triggerSets.rotate(set.id, { ifMatch: set.revision });
    out.answer(
      rotated,
      () =>
        `Replaced every key of trigger set ${JSON.stringify(set.name)}\n${setSecretsText(rotated, { fireSocket, out })}`,
    );
  },
});
