import { defineCommand } from "../command.ts";
import { findRunningDaemon } from "../daemon/running.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkLog } from "../doctor/log-check.ts";
import { checkPrivacy, checkSpace } from "../doctor/place-checks.ts";
import { checkChannels, checkRuns, checkSchedules, checkTasks } from "../doctor/work-checks.ts";
import { exitCodes } from "../exit-codes.ts";
import { version } from "../version.ts";

const marks = { good: "ok", warn: "look", bad: "WRONG" } as const;

export const command = defineCommand({
  details: "The exit code is 1 where something is wrong, and 4 where no daemon answers.",
  examples: [["belfry doctor", "when something seems off"]],
  run: async ({ connect, place, host, out }) => {
    const client = await connect();
    const { pid, info } = await findRunningDaemon(client, place, host);
    const { product_version } = await client.manifest.get();
    const nowMs = host.now();
    const findings: readonly Finding[] = [
      {
        subject: "daemon",
        level: "good",
        text: `version ${product_version}, process ${pid}; this command is ${version} on Node ${process.versions.node}`,
      },
      checkPrivacy(info),
      checkSpace(info),
      checkLog(info.log_path, nowMs),
      ...(await Promise.all([
        checkTasks(client),
        checkSchedules(client, nowMs),
        checkRuns(client, nowMs),
        checkChannels(client),
      ])),
    ];
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
    return findings.some(({ level }) => level === "bad") ? exitCodes.failed : exitCodes.ok;
  },
});
