import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { flag } from "../../options.ts";
import { setSecretsText } from "../../views/trigger-set.ts";

export const command = defineLocalCommand({
  arguments: [argument.triggerSet],
  options: { keyOnly: flag("--key-only", "print only the keys, one per line, in the order of their positions") },
  details:
    "The output contains secrets. The audit trail records each use of this command. With --json, each key comes with a curl command that fires its trigger.",
  examples: [
    ["belfry trigger-set reveal Agents", "print every key and how to use it"],
    ["belfry trigger-set reveal Agents --key-only", "print one key per line"],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const set = await findTriggerSet(client, typed);
    const fireSocket = await findFireSocket(client);
    const revealed = await client.triggerSets.reveal(set.id);
    out.answer(revealed, () =>
      options.keyOnly === true
        ? revealed.keys.map(({ key }) => key).join("\n")
        : setSecretsText(revealed, { fireSocket, out }),
    );
  },
});
