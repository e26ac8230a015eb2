import { ApiError, type Client, type RuntimeInfo } from "@belfry/client";
import { version } from "../version.ts";
import { checkAudit } from "./audit-check.ts";
import { checkFireSocket } from "./fire-socket-check.ts";
import type { Finding } from "./finding.ts";
import { checkFormerEnd } from "./former-end-check.ts";
import { checkHolds } from "./hold-check.ts";
import { checkLog } from "./log-check.ts";
import { checkFiles, checkPrivacy, checkSpace } from "./data-dir-checks.ts";
import { checkRemote } from "./remote-check.ts";
import { checkRunners } from "./runner-check.ts";
import { checkUnsafeFiles } from "./unsafe-files-check.ts";
import { checkVersion } from "./version-check.ts";
import { checkChannels, checkRuns, checkSchedules, checkTasks, checkWatchers } from "./resource-checks.ts";

/** Checks a daemon that responds, and its data directory. */
export async function checkDaemon(
  client: Client,
  { pid, info }: { readonly pid: number; readonly info: RuntimeInfo },
  nowMs: number,
): Promise<readonly Finding[]> {
  const { product_version } = await client.manifest.get();
  return [
    {
      subject: "daemon",
      level: "good",
      text: `version ${product_version}, process ${pid}; this command: version ${version}, Node ${process.versions.node}`,
    },
    ...checkVersion(product_version),
    ...(await checkFormerEnd(client, info.log_path, nowMs)),
    ...checkFiles(info),
    ...checkRunners(info),
    checkPrivacy(info),
    ...checkUnsafeFiles(info),
    ...checkFireSocket(info),
    checkSpace(info),
    checkLog(info.log_path, nowMs),
    ...(await Promise.all([
      orApiError("holds", checkHolds(client)),
      orApiError("tasks", checkTasks(client)),
      orApiError("schedules", checkSchedules(client, nowMs)),
      orApiError("runs", checkRuns(client, nowMs)),
      orApiError("watchers", checkWatchers(client)),
      orApiError("channels", checkChannels(client)),
      orApiError("remote", checkRemote(client, nowMs)),
      orApiError("audit", checkAudit(client)),
    ])),
  ];
}

/** A list that cannot be read, for example because its table is corrupt, does not stop the other checks. */
async function orApiError(subject: string, check: Promise<Finding>): Promise<Finding> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { subject, level: "bad", text: error.message };
  }
}
