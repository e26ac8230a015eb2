import type { AnyClient } from "../any-client.ts";
import type { Output } from "../output/output.ts";
import { foldName } from "@belfry/contract";
import { fullPathOfTask } from "./task.ts";

/** A task as other resources refer to it. */
export interface TaskRef {
  readonly id: string;
  readonly name: string;
}

/** The task of a resource. */
export function taskRef({ task_id, task_name }: { readonly task_id: string; readonly task_name: string }): TaskRef {
  return { id: task_id, name: task_name };
}

/** Returns the name to show for a task. */
export type NameOf = (task: TaskRef) => string;

export const plainName: NameOf = ({ name }) => name;

/** Shows `group/name` for tasks whose name occurs twice in `shown`, and the plain name for the others. */
export async function disambiguateTasks(
  client: AnyClient,
  shown: Iterable<TaskRef>,
  { json }: Pick<Output, "json">,
): Promise<NameOf> {
  const shared = sharedNames(shown);
  const [name] = shared.values();
  // JSON has the ids
  if (name === undefined || json) return plainName;
  const paths = new Map<string, string>();
  for await (const task of client.tasks.list({ limit: 1000, ...(shared.size === 1 ? { q: name } : {}) }))
    paths.set(task.id, fullPathOfTask(task));
  // a trigger keeps the name of a deleted task
  return (task) => (shared.has(foldName(task.name)) ? (paths.get(task.id) ?? `${task.name} (deleted)`) : task.name);
}

/** Names that two or more of these tasks have, by their folded form. */
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
