import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { defined } from "../../defined.ts";
import { findChannel } from "../../find/channel.ts";
import { requireChange } from "../../input/change.ts";
import { readGivenSecret } from "../../input/secret.ts";
import { text } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.channel],
  options: {
    name: text("--name <name>", "a new name"),
    endpointFile: text("--endpoint-file <file>", "another endpoint, from a file; - is standard input"),
  },
  details: "What is queued already goes to where it was queued for. Secrets are changed by: belfry channel rotate",
  examples: [
    ['belfry channel edit Ops --name "On call"', "another name"],
    ["belfry channel edit Ops --endpoint-file new-url", "another place"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const asked = { file: options.endpointFile, what: "endpoint" };
    const endpoint = (await readGivenSecret(asked, host))?.trim();
    const patch = defined({ name: options.name, endpoint });
    requireChange(patch, "channel");
    const client = await connect();
    const channel = await findChannel(client, typed);
    const changed = await client.notificationChannels.update(channel.id, patch, { ifMatch: channel.revision });
    out.answer(changed, () => `Changed the channel ${JSON.stringify(changed.name)}`);
  },
});
