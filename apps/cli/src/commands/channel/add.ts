import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { readOptionalSecret, readSecret, refuseSharedStdin } from "../../input/secret.ts";
import { chooseSigningSecret, generateOption, secretLines, withSecret } from "../../input/signing-secret.ts";
import { flag, text } from "../../options.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "what to call it" }],
  options: {
    endpointFile: text("--endpoint-file <file>", "where to send, from a file; - is standard input"),
    authorizationFile: text("--authorization-file <file>", "what to send in the Authorization header"),
    signingSecretFile: text("--signing-secret-file <file>", "sign every request with this: whsec_..."),
    generateSigningSecret: generateOption,
    disabled: flag("--disabled", "add it switched off"),
  },
  details:
    "Endpoint and secrets are read from files or standard input, never from the command line, and never shown again. Without --endpoint-file you are asked for the endpoint.",
  examples: [
    ["belfry channel add Ops", "asks where to send"],
    ["echo https://hooks.example.com/services/42 | belfry channel add Ops --endpoint-file -", "from standard input"],
    ["belfry channel add Ops --endpoint-file url --authorization-file token", "with an Authorization header"],
    ["belfry channel add Ops --endpoint-file url --generate-signing-secret", "signed with a new secret"],
  ],
  run: async ({ connect, args: [name], options, host, out }) => {
    const { endpointFile, authorizationFile, signingSecretFile } = options;
    refuseSharedStdin([endpointFile ?? "-", authorizationFile, signingSecretFile]);
    const { signingSecret: signing_secret, generated } = await chooseSigningSecret(options, host);
    const endpoint = await readSecret({ file: endpointFile, what: "endpoint" }, host);
    const authorization = await readOptionalSecret({ file: authorizationFile, what: "authorization" }, host);
    const client = await connect();
    const enabled = options.disabled !== true;
    const channel = await client.notificationChannels.create({
      name,
      endpoint: endpoint.trim(),
      enabled,
      ...withoutUndefined({ authorization, signing_secret }),
    });
    const next = `Try it: belfry channel test ${JSON.stringify(channel.name)}`;
    out.answer(
      withSecret(channel, generated),
      () => `Added the channel ${JSON.stringify(channel.name)} (${channel.id}). ${next}${secretLines(generated)}`,
    );
  },
});
