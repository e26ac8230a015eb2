import { ApiError, type Client, type RuntimeInfo } from "@belfry/client";
import { version } from "../version.ts";
import type { Finding } from "./finding.ts";
import { checkLog } from "./log-check.ts";
import { checkFiles, checkPrivacy, checkSpace } from "./data-dir-checks.ts";
import { checkChannels, checkRuns, checkSchedules, checkTasks } from "./resource-checks.ts";

/** What a daemon that answers says of itself, and what lies in its data directory. */
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
      text: `version ${product_version}, process ${pid}; this command is ${version} on Node ${process.versions.node}`,
    },
    ...checkFiles(info),
    checkPrivacy(info),
    checkSpace(info),
    checkLog(info.log_path, nowMs),
    ...(await Promise.all([
      orRefusal("tasks", checkTasks(client)),
      orRefusal("schedules", checkSchedules(client, nowMs)),
      orRefusal("runs", checkRuns(client, nowMs)),
      orRefusal("channels", checkChannels(client)),
    ])),
  ];
}

/** One list that cannot be read, as where its table is damaged, keeps no other from being checked. */
async function orRefusal(subject: string, check: Promise<Finding>): Promise<Finding> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { subject, level: "bad", text: error.message };
  }
}
