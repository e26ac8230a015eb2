import { resolve } from "node:path";
import { defineStandaloneCommand } from "../../command.ts";
import { runDaemonProgram } from "../../backup/daemon-program.ts";
import { dataDirFor } from "../../connect.ts";
import { usage } from "../../failure.ts";
import { readOptionalSecret } from "../../input/secret.ts";
import { text } from "../../options.ts";
import { formatLocal } from "../../output/time.ts";

export const command = defineStandaloneCommand({
  uses: ["dataDir"],
  arguments: [{ name: "file", summary: "backup to restore" }],
  options: {
    passphraseFile: text(
      "--passphrase-file <file>",
      "file with the passphrase of the backup, or - for standard input (only if it has one)",
    ),
  },
  details:
    "Restores into an empty data directory, whose daemon must not run. The daemon then starts held: no task starts and no webhook is sent until `belfry release --confirm`.",
  examples: [
    ["belfry backup restore belfry.tar", "restore into the default data directory"],
    ["belfry --data-dir /srv/belfry backup restore belfry.tar", "restore into another directory"],
  ],
  run: async ({ args: [path], options, host, location, out }) => {
    const dataDir = dataDirFor(location, host);
    if (dataDir === null) throw usage("a restore requires --data-dir, because only a socket is given");
    const passphrase = await readOptionalSecret({ file: options.passphraseFile, noun: "passphrase" }, host);
    const args = ["--restore-backup", resolve(path), "--data-dir", dataDir];
    const summary = await runDaemonProgram(args, passphrase);
    out.answer(summary, () => `Restored the backup of ${formatLocal(summary.created_at)} into ${dataDir}`);
    out.note("The daemon starts held. Stop the original daemon first. Then start tasks with: belfry release --confirm");
  },
});
