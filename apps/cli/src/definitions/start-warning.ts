import type { Task } from "@belfry/client";
import { findUsers } from "../crontab/accounts.ts";
import type { Host } from "../host.ts";
import { warnOfMissingScript } from "./script-path.ts";

/** A warning if a task cannot start on this machine, as far as the command can see. The user or the script may come later. */
export async function warnOfStart(task: Task, host: Pick<Host, "environment">): Promise<string | null> {
  const { run_as: user } = task;
  if (typeof user === "string" && !(await findUsers([user])).has(user))
    return `Warning: there is no user ${JSON.stringify(user)} on this machine. Until there is one, each run of the task fails`;
  return warnOfMissingScript(task, host);
}
