import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import { readOptionalSecret, refuseSharedStdin } from "../../input/secret.ts";
import {
  resolveSigningSecret,
  generateOption,
  secretLines,
  sendSecret,
  withSecret,
} from "../../input/signing-secret.ts";
import { clearable, text } from "../../options.ts";

export const command = defineLocalCommand({
  arguments: [argument.channel],
  options: {
    authorizationFile: clearable(
      text(
        "--authorization-file <file>",
        "file that contains the new value of the Authorization header; - reads standard input",
      ),
      "clear the authorization",
    ),
    signingSecretFile: clearable(
      text("--signing-secret-file <file>", "file that contains the new signing secret; - reads standard input"),
      "clear the current and all previous signing secrets",
    ),
    generateSigningSecret: generateOption,
  },
  details:
    "Secrets that are not given stay unchanged. After you replace a signing secret, the daemon signs with both the old and the new secret for 24 hours. Clearing the signing secret also clears all previous ones.",
  examples: [
    ["belfry channel rotate Ops --authorization-file token", "replace the authorization"],
    ["belfry channel rotate Ops --no-authorization-file", "clear the authorization"],
    [
      "belfry channel rotate Ops --generate-signing-secret",
      "replace the signing secret; the old one still signs for 24 hours",
    ],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    refuseSharedStdin([options.authorizationFile, options.signingSecretFile]);
    const { authorizationFile: file } = options;
    const { signingSecret, generated } = await resolveSigningSecret(options, host);
    const secrets = withoutUndefined({
      authorization: file === null ? null : await readOptionalSecret({ file, noun: "authorization" }, host),
      signing_secret: options.signingSecretFile === null ? null : signingSecret,
    });
    if (Object.keys(secrets).length === 0)
      throw usage(
        "nothing to change: give a secret to replace or clear",
        "See the options with: belfry help channel rotate",
      );
    const client = await connect();
    const channel = await findChannel(client, typed);
    const changed = await sendSecret(generated, out, () =>
      client.notificationChannels.rotate(channel.id, secrets, { ifMatch: channel.revision }),
    );
    out.answer(
      withSecret(changed, generated),
      () => `Changed the secrets of channel ${JSON.stringify(changed.name)}${secretLines(generated)}`,
    );
  },
});
