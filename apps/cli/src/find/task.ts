import type { Task } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find, findableBy, isIdOf, type ResourceKind, searchFor } from "./find.ts";

export function taskKind(client: AnyClient): ResourceKind<Task> {
  return {
    noun: "task",
    idPrefix: "tsk",
    get: (id) => client.tasks.get(id),
    search: (part) => client.tasks.list({ limit: 1000, ...(part === null ? {} : { q: part }) }),
    pathOf: fullPathOfTask,
  };
}

export function pathOfTask({ group_name, name }: Pick<Task, "group_name" | "name">): string {
  return group_name === null ? name : `${group_name}/${name}`;
}

/** The same, but `/name` for a task in no group, where its name alone would be ambiguous. */
export function fullPathOfTask({ group_name, name }: Pick<Task, "group_name" | "name">): string {
  return `${group_name ?? ""}/${name}`;
}

/** The word by which a command finds this task: its name, or its path if another task has the same name. */
export async function wordForTask(client: AnyClient, task: Task): Promise<string> {
  const kind = taskKind(client);
  // what the command has done stays done if this cannot be read
  const named = await searchFor(kind, task.name).catch(() => null);
  if (named === null) return fullPathOfTask(task);
  const [word = task.id] = findableBy(named, kind.pathOf)(task);
  return word;
}

export function findTask(client: AnyClient, typed: string): Promise<Task> {
  return find(taskKind(client), typed);
}

/** Accepts the id of a deleted task, because its runs and triggers remain. */
export async function findTaskId(client: AnyClient, typed: string): Promise<string> {
  return isIdOf("tsk", typed) ? typed : (await findTask(client, typed)).id;
}
