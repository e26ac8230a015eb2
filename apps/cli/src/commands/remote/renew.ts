import { defineLocalCommand } from "../../command.ts";
import { flag } from "../../options.ts";
import { formatLocal } from "../../output/time.ts";

export const command = defineLocalCommand({
  options: { root: flag("--root", "also make a new root; then every client must enrol again") },
  details:
    "The daemon renews its own certificate by itself, so this is rarely needed. With a certificate of your own, its files are read again. Open connections continue.",
  examples: [
    ["belfry remote renew", "make a new certificate, or read the configured one again"],
    ["belfry remote renew --root", "lock every client out after the key of the root was copied"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const remote = await client.remote.renew({ root: options.root === true });
    const { certificate } = remote;
    const until = certificate === null ? "" : `, valid until ${formatLocal(certificate.expires_at)}`;
    out.answer(remote, () =>
      options.root === true
        ? `Made a new root and a new certificate${until}. Every client must enrol again`
        : `${certificate?.source === "configured" ? "Read the certificate again" : "Made a new certificate"}${until}`,
    );
  },
});
