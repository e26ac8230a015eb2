import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { setSecretsText } from "../../views/trigger-set.ts";

export const command = defineLocalCommand({
  arguments: [argument.triggerSet],
  details:
    "The output contains secrets. The audit trail records each use of this command. With --json, each key comes with a curl command that fires its trigger.",
  examples: [["belfry trigger-set reveal Agents", "print every key"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const set = await findTriggerSet(client, typed);
    const fireSocket = await findFireSocket(client);
    const revealed = await client.triggerSets.reveal(set.id);
    out.answer(revealed, () => setSecretsText(revealed, { fireSocket, out }));
  },
});
