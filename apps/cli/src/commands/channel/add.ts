import { defineLocalCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { readOptionalSecret, readSecret, refuseSharedStdin } from "../../input/secret.ts";
import {
  resolveSigningSecret,
  generateOption,
  secretLines,
  sendSecret,
  withSecret,
} from "../../input/signing-secret.ts";
import { flag, text } from "../../options.ts";
import { quoteName } from "../../output/hints.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "name", summary: "name of the channel" }],
  options: {
    endpointFile: text("--endpoint-file <file>", "file that contains the endpoint URL; - reads standard input"),
    authorizationFile: text("--authorization-file <file>", "file that contains the value of the Authorization header"),
    signingSecretFile: text("--signing-secret-file <file>", "file that contains the signing secret: whsec_..."),
    generateSigningSecret: generateOption,
    disabled: flag("--disabled", "add the channel disabled"),
  },
  details:
    "The endpoint and the secrets are read from files or standard input, never from the command line. The daemon never shows these values again. Without --endpoint-file, the command asks for the endpoint.",
  examples: [
    ["belfry channel add Ops", "ask for the endpoint"],
    [
      "echo https://hooks.example.com/services/42 | belfry channel add Ops --endpoint-file -",
      "read the endpoint from standard input",
    ],
    ["belfry channel add Ops --endpoint-file url --authorization-file token", "send an Authorization header"],
    ["belfry channel add Ops --endpoint-file url --generate-signing-secret", "sign requests with a new secret"],
  ],
  extraArgumentHint:
    "The endpoint is not an argument, because others can read the command line. Give the endpoint in a file with --endpoint-file, or omit the option to enter the endpoint at a prompt",
  run: async ({ connect, args: [name], options, host, out }) => {
    const { endpointFile, authorizationFile, signingSecretFile } = options;
    refuseSharedStdin([endpointFile ?? "-", authorizationFile, signingSecretFile]);
    const { signingSecret: signing_secret, generated } = await resolveSigningSecret(options, host);
    const endpoint = await readSecret({ file: endpointFile, noun: "endpoint" }, host);
    const authorization = await readOptionalSecret({ file: authorizationFile, noun: "authorization" }, host);
    const client = await connect();
    const enabled = options.disabled !== true;
    const body = { name, endpoint: endpoint.trim(), enabled, ...withoutUndefined({ authorization, signing_secret }) };
    const channel = await sendSecret(generated, out, () => client.notificationChannels.create(body));
    const next = out.hint(`Test it with: belfry channel test ${quoteName(channel.name)}`);
    out.answer(
      withSecret(channel, generated),
      () => `Added channel ${JSON.stringify(channel.name)} (${channel.id}). ${next}${secretLines(generated)}`,
    );
  },
});
