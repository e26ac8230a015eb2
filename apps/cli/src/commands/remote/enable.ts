import { resolve } from "node:path";
import { defineLocalCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { flag, integer, text, texts } from "../../options.ts";
import { renderDetails } from "../../output/details.ts";
import { remoteDetails } from "../../views/remote.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineLocalCommand({
  options: {
    host: text("--host <address>", "address to listen on (default ::, which is all addresses)"),
    port: integer("--port <port>", "TCP port to listen on (default 7443)", { min: 1, max: 65_535 }),
    advertise: texts(
      "--advertise <host>",
      "other host name or address by which clients reach this daemon, with or without a port; replaces those advertised before (repeatable)",
    ),
    certificate: text("--certificate <file>", "PEM file with a certificate of your own and its chain"),
    key: text("--key <file>", "PEM file with the private key of --certificate"),
    authority: text("--authority <file>", "PEM file with the authority of --certificate, if systems do not trust it"),
    ownCertificate: flag("--own-certificate", "use a certificate that the daemon makes, which is the default"),
  },
  details:
    "Lets other machines reach this daemon with TLS 1.3 and an access token. Settings that are not given keep their configured value. The change takes effect immediately and stays after a restart. If a step fails, everything stays as it was.",
  examples: [
    ["belfry remote enable", "listen on port 7443"],
    ["belfry remote enable --advertise build.example.org", "also name the host in certificates and invitations"],
    ["belfry remote enable --certificate /etc/ssl/build.pem --key /etc/ssl/build.key", "use a certificate of your own"],
  ],
  run: async ({ connect, options, out }) => {
    const { host, port, advertise, certificate, key, authority, ownCertificate } = options;
    const files = { certificate: pathOf(certificate), key: pathOf(key), authority: pathOf(authority) };
    if (ownCertificate === true && Object.values(files).some((file) => file !== undefined))
      throw usage("--own-certificate cannot be combined with --certificate, --key or --authority");
    const chosen = ownCertificate === true ? { certificate: null, key: null, authority: null } : files;
    const client = await connect();
    const remote = await client.remote.enable(
      withoutUndefined({ host, port, advertise: advertise === undefined ? undefined : [...advertise], ...chosen }),
    );
    out.answer(
      remote,
      () =>
        `${renderDetails(remoteDetails(remote))}\n${out.hint("To let a client in, run: belfry pair <name> --capability observe")}\n`,
    );
  },
});

/** The daemon runs in another directory. */
function pathOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : resolve(file);
}
