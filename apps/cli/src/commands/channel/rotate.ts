import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { defined } from "../../defined.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import type { Host } from "../../host.ts";
import { readGivenSecret, refuseTwoInputs } from "../../input/secret.ts";
import { clearable, text } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.channel],
  options: {
    authorizationFile: clearable(text("--authorization-file <file>", "a new authorization; - is standard input")),
    signingSecretFile: clearable(text("--signing-secret-file <file>", "a new signing secret; - is standard input")),
  },
  details:
    "A new value replaces, --no-... clears, and what is not named stays. A replaced signing secret signs beside the new one for 24 hours. Clearing the signing secret drops the former ones too.",
  examples: [
    ["belfry channel rotate Ops --authorization-file token", "another token"],
    ["belfry channel rotate Ops --no-authorization-file", "none any more"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    refuseTwoInputs([options.authorizationFile, options.signingSecretFile]);
    const secrets = defined({
      authorization: await read("authorization", options.authorizationFile, host),
      signing_secret: await read("signing secret", options.signingSecretFile, host),
    });
    if (Object.keys(secrets).length === 0)
      throw usage("what shall be replaced or cleared? Name at least one option", "belfry help channel rotate");
    const client = await connect();
    const channel = await findChannel(client, typed);
    const changed = await client.notificationChannels.rotate(channel.id, secrets, { ifMatch: channel.revision });
    out.answer(changed, () => `Changed the secrets of the channel ${JSON.stringify(changed.name)}`);
  },
});

/** Null clears, undefined keeps. */
async function read(what: string, file: string | null | undefined, host: Host): Promise<string | null | undefined> {
  return file === null ? null : readGivenSecret({ file, what }, host);
}
