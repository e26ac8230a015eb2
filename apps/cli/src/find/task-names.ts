import type { Client } from "@belfry/client";
import type { Output } from "../output/output.ts";
import { foldName } from "@belfry/contract";
import { pathOfTask } from "./task.ts";

/** A task as the daemon's answers refer to it. */
export interface TaskRef {
  readonly id: string;
  readonly name: string;
}

/** Of what belongs to a task. */
export function taskRef({ task_id, task_name }: { readonly task_id: string; readonly task_name: string }): TaskRef {
  return { id: task_id, name: task_name };
}

/** How a task is called where it is shown. */
export type NameOf = (task: TaskRef) => string;

export const plainName: NameOf = ({ name }) => name;

/**
 * Names for tasks that are shown together: their own, and `group/name` for those that share theirs with another. Asks the
 * daemon only where two do.
 */
export async function disambiguateTasks(
  client: Client,
  shown: Iterable<TaskRef>,
  { json }: Pick<Output, "json">,
): Promise<NameOf> {
  const shared = sharedNames(shown);
  const [name] = shared.values();
  // a program has the ids
  if (name === undefined || json) return plainName;
  const paths = new Map<string, string>();
  for await (const task of client.tasks.list({ limit: 1000, ...(shared.size === 1 ? { q: name } : {}) }))
    paths.set(task.id, pathOfTask(task));
  // a trigger keeps the name of the task it ran
  return (task) => (shared.has(foldName(task.name)) ? (paths.get(task.id) ?? `${task.name} (deleted)`) : task.name);
}

/** Names that stand for more than one of these tasks, by their folded form. */
export function sharedNames(shown: Iterable<TaskRef>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const shared = new Map<string, string>();
  for (const { id, name } of shown) {
    const folded = foldName(name);
    const known = ids.get(folded);
    if (known === undefined) ids.set(folded, id);
    else if (known !== id) shared.set(folded, name);
  }
  return shared;
}
