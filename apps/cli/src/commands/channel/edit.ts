import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findChannel } from "../../find/channel.ts";
import { requireChange } from "../../input/require-change.ts";
import { readOptionalSecret } from "../../input/secret.ts";
import { text } from "../../options.ts";
import { quoteName } from "../../output/hints.ts";

export const command = defineLocalCommand({
  arguments: [argument.channel],
  options: {
    name: text("--name <name>", "new name"),
    endpointFile: text("--endpoint-file <file>", "file that contains the new endpoint URL; - reads standard input"),
  },
  details:
    "Deliveries that are already queued go to the former endpoint. If the new endpoint has another scheme, host or port, the stored authorization is removed. Change secrets with: belfry channel rotate",
  examples: [
    ['belfry channel edit Ops --name "On call"', "rename the channel"],
    ["belfry channel edit Ops --endpoint-file new-url", "change the endpoint"],
  ],
  extraArgumentHint: "Give the new endpoint in a file with --endpoint-file, because others can read the command line",
  run: async ({ connect, args: [typed], options, host, out }) => {
    const source = { file: options.endpointFile, noun: "endpoint" };
    const endpoint = (await readOptionalSecret(source, host))?.trim();
    const patch = withoutUndefined({ name: options.name, endpoint });
    requireChange(patch, "channel");
    const client = await connect();
    const channel = await findChannel(client, typed);
    const changed = await client.notificationChannels.update(channel.id, patch, { ifMatch: channel.revision });
    const name = JSON.stringify(changed.name);
    out.answer(changed, () => `Changed channel ${name}`);
    if (channel.has_authorization && !changed.has_authorization)
      out.note(
        `Warning: the stored authorization was removed because the endpoint moved to ${changed.endpoint_summary}. Set a new one with: belfry channel rotate ${quoteName(changed.name)} --authorization-file <file>`,
      );
  },
});
