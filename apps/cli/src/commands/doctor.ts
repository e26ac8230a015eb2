import { ConnectionError, TimeoutError } from "@belfry/client";
import { defineCommand } from "../command.ts";
import { dataDirFor } from "../connect.ts";
import { findRunningDaemon } from "../daemon/running.ts";
import { checkDaemon } from "../doctor/daemon-checks.ts";
import { checkDatabase } from "../doctor/database-check.ts";
import type { Finding } from "../doctor/finding.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { flag } from "../options.ts";

const marks = { good: "ok", warn: "look", bad: "WRONG" } as const;

export const command = defineCommand({
  options: {
    database: flag("--database", "also read the whole database for damage; works without a daemon too"),
  },
  details: "The exit code is 1 where something is wrong, and 4 where no daemon answers.",
  examples: [
    ["belfry doctor", "when something seems off"],
    ["belfry doctor --database", "after a disk has failed, or when the daemon reports damage"],
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
      if (options.database !== true || !isSilence(error)) throw error;
      findings.push({ subject: "daemon", level: "warn", text: error.message });
      code = exitCodes.unreachable;
    }
    if (options.database === true) {
      if (dataDir === null) throw usage("--database needs --data-dir where no daemon answers at the socket");
      findings.push(...(await checkDatabase(dataDir, out)));
    }
    out.answer({ findings }, () =>
      out.table(
        [
          { title: "", text: ({ level }) => marks[level], color: ({ level }) => level },
          { title: "", text: ({ subject }) => subject },
          { title: "", text: ({ text }) => text },
        ],
        findings,
      ),
    );
    return findings.some(({ level }) => level === "bad") ? exitCodes.failed : code;
  },
});

function isSilence(error: unknown): error is Error {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof Failure && error.exitCode === exitCodes.unreachable)
  );
}
