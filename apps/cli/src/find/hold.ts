import { type Hold, isApiError } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { quoteForShell } from "../output/hints.ts";
import { holdHint } from "../views/hold.ts";
import { wordForTask } from "./task.ts";

/** Finds the hold on the tasks of a group: on all tasks, or on the group or the nearest group around it. */
export async function findHold(client: AnyClient, groupId: string | null): Promise<Hold | undefined> {
  const { holds } = await client.holds.list();
  const findFor = (id: string | null) => holds.find(({ group_id }) => group_id === id);
  let hold = findFor(null);
  for (let id = groupId; id !== null && hold === undefined;) {
    hold = findFor(id);
    id = (await client.groups.get(id)).parent_id;
  }
  return hold;
}

/** An older daemon has no holds. */
export async function listHolds(client: AnyClient): Promise<readonly Hold[]> {
  try {
    return (await client.holds.list()).holds;
  } catch (error) {
    if (isApiError(error, "not_found")) return [];
    throw error;
  }
}

/**
 * Says of a run that was refused why its task cannot start, and what to do. The daemon's message ends with the reason as a
 * code, which only programs need.
 */
export async function explainRefusedRun(client: AnyClient, taskId: string, error: unknown): Promise<unknown> {
  if (!isApiError(error, "conflict")) return error;
  const task = await client.tasks.get(taskId);
  const { code, field, message } = error;
  if (task.reason === "task_disabled") {
    const text = `task ${JSON.stringify(task.name)} is disabled`;
    const hint = `Enable it with: belfry task enable ${quoteForShell(await wordForTask(client, task))}`;
    return new Failure(exitCodes.failed, message, { code, field, text, hint });
  }
  const text = message.replace(` (${task.reason})`, "");
  const hold = task.reason === "held" ? await findHold(client, task.group_id) : undefined;
  const hint = hold === undefined ? null : holdHint(hold);
  return new Failure(exitCodes.failed, message, { code, field, text, hint });
}
