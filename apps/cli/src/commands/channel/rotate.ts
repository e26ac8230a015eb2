import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import { readOptionalSecret, refuseSharedStdin } from "../../input/secret.ts";
import { chooseSigningSecret, generateOption, secretLines, withSecret } from "../../input/signing-secret.ts";
import { clearable, text } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.channel],
  options: {
    authorizationFile: clearable(text("--authorization-file <file>", "a new authorization; - is standard input")),
    signingSecretFile: clearable(text("--signing-secret-file <file>", "a new signing secret; - is standard input")),
    generateSigningSecret: generateOption,
  },
  details:
    "A new value replaces, --no-... clears, and what is not named stays. A replaced signing secret signs beside the new one for 24 hours. Clearing the signing secret drops the former ones too.",
  examples: [
    ["belfry channel rotate Ops --authorization-file token", "another token"],
    ["belfry channel rotate Ops --no-authorization-file", "none any more"],
    ["belfry channel rotate Ops --generate-signing-secret", "a new signing secret, beside the former one for a day"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    refuseSharedStdin([options.authorizationFile, options.signingSecretFile]);
    const { authorizationFile: file } = options;
    const { signingSecret, generated } = await chooseSigningSecret(options, host);
    const secrets = withoutUndefined({
      authorization: file === null ? null : await readOptionalSecret({ file, what: "authorization" }, host),
      signing_secret: options.signingSecretFile === null ? null : signingSecret,
    });
    if (Object.keys(secrets).length === 0)
      throw usage("Nothing to change: name the secret to replace or clear", "belfry help channel rotate");
    const client = await connect();
    const channel = await findChannel(client, typed);
    const changed = await client.notificationChannels.rotate(channel.id, secrets, { ifMatch: channel.revision });
    out.answer(
      withSecret(changed, generated),
      () => `Changed the secrets of the channel ${JSON.stringify(changed.name)}${secretLines(generated)}`,
    );
  },
});
