import { resolve } from "node:path";
import { defineStandaloneCommand } from "../../command.ts";
import { runDaemonProgram } from "../../backup/daemon-program.ts";
import { readOptionalSecret } from "../../input/secret.ts";
import { text } from "../../options.ts";
import { formatBytes, formatLocal } from "../../output/time.ts";

export const command = defineStandaloneCommand({
  arguments: [{ name: "file", summary: "backup to check" }],
  options: {
    passphraseFile: text("--passphrase-file <file>", "also check the key with this passphrase; - for standard input"),
  },
  details: "Reads the whole file and its database. Works without a running daemon.",
  examples: [["belfry backup check belfry.tar", "make sure that a backup can be restored"]],
  run: async ({ args: [path], options, host, out }) => {
    const passphrase = await readOptionalSecret({ file: options.passphraseFile, noun: "passphrase" }, host);
    const summary = await runDaemonProgram(["--check-backup", resolve(path)], passphrase);
    const { created_at, files, bytes, version } = summary;
    out.answer(
      summary,
      () =>
        `${path} is sound: ${files} files, ${formatBytes(bytes)}, made at ${formatLocal(created_at)} by version ${version}`,
    );
    if (!summary.key_checked) out.note("The key is encrypted and was not checked. Check it with --passphrase-file");
  },
});
