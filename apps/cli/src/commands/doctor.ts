import { ConnectionError, TimeoutError } from "@belfry/client";
import { defineLocalCommand } from "../command.ts";
import { dataDirFor } from "../connect.ts";
import { findRunningDaemon } from "../daemon/running.ts";
import { checkDaemon } from "../doctor/daemon-checks.ts";
import { checkDatabase } from "../doctor/database-check.ts";
import type { Finding } from "../doctor/finding.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { flag } from "../options.ts";
import { plainText } from "../output/hints.ts";

const marks = { good: "ok", warn: "warn", bad: "ERROR" } as const;

export const command = defineLocalCommand({
  options: {
    database: flag("--database", "also check the whole database for corruption; works without a running daemon"),
  },
  details: "The exit code is 1 if a check fails, and 4 if the daemon is unreachable.",
  examples: [
    ["belfry doctor", "check the daemon, its files and its tasks"],
    ["belfry doctor --database", "also check the database, for example after a disk failure"],
  ],
  run: async ({ connect, options, location, host, out }) => {
    const client = await connect();
    const findings: Finding[] = [];
    let code: ExitCode = exitCodes.ok;
    let dataDir = dataDirFor(location, host);
    try {
      const daemon = await findRunningDaemon(client, location, host);
      dataDir = daemon.info.data_dir;
      findings.push(...(await checkDaemon(client, daemon, host.now())));
    } catch (error) {
      if (options.database !== true || !isUnreachable(error)) throw error;
      findings.push({ subject: "daemon", level: "warn", text: error.message });
      code = exitCodes.unreachable;
    }
    if (options.database === true) {
      if (dataDir === null) throw usage("--database requires --data-dir if no daemon responds at the socket");
      findings.push(...(await checkDatabase(dataDir, out)));
    }
    const plain = findings.map((finding) => ({ ...finding, text: plainText(finding.text) }));
    out.answer({ findings: plain }, () =>
      out.table(
        [
          { title: "", text: ({ level }) => marks[level], color: ({ level }) => level },
          { title: "", text: ({ subject }) => subject },
          { title: "", text: ({ text }) => out.hint(text) },
        ],
        findings,
      ),
    );
    return findings.some(({ level }) => level === "bad") ? exitCodes.failed : code;
  },
});

function isUnreachable(error: unknown): error is Error {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof Failure && error.exitCode === exitCodes.unreachable)
  );
}
