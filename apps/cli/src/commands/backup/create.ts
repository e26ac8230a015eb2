import { defineLocalCommand } from "../../command.ts";
import { writeNewFile } from "../../backup/new-file.ts";
import { readOptionalSecret } from "../../input/secret.ts";
import { flag, text } from "../../options.ts";
import { formatBytes } from "../../output/time.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "file", summary: "new file for the backup" }],
  options: {
    passphraseFile: text(
      "--passphrase-file <file>",
      "encrypt the key of all secrets with the passphrase in this file, or - for standard input (default: not encrypted)",
    ),
    output: flag("--with-output", "include the kept output of runs"),
  },
  details: "The daemon keeps working. The file appears only once it is complete, and replaces no other file.",
  examples: [
    ["belfry backup create belfry.tar", "back up the daemon on this machine"],
    ["belfry backup create belfry.tar --passphrase-file pass.txt", "encrypt the key of all secrets"],
  ],
  run: async ({ connect, args: [path], options, host, out }) => {
    const passphrase = await readOptionalSecret(
      { file: options.passphraseFile, noun: "passphrase", isNew: true },
      host,
    );
    const client = await connect();
    const request = { passphrase: passphrase ?? null, output: options.output === true };
    const bytes = await writeNewFile(path, () => client.backups.create(request));
    out.answer({ file: path, bytes }, () => `Wrote ${path} (${formatBytes(bytes)})`);
    if (passphrase === undefined)
      out.note(
        "Without a passphrase, whoever can read this file can read every secret of the daemon. Keep it private.",
      );
  },
});
