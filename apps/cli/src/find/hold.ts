import { type Hold, isApiError, type Task } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { holdSentence, releaseCommand } from "../views/hold.ts";

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

/** Says of a run that was refused how long its task is held, and why. */
export async function explainHeld(client: AnyClient, task: Task, error: unknown): Promise<unknown> {
  if (!isApiError(error, "conflict") || (await client.tasks.get(task.id)).reason !== "held") return error;
  const hold = await findHold(client, task.group_id);
  if (hold === undefined) return error;
  const hint = `${holdSentence(hold)}. Release with: ${releaseCommand(hold)}`;
  return new Failure(exitCodes.failed, error.message, { code: error.code, field: error.field, hint });
}
