import type { Task } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find, isIdOf, type ResourceKind } from "./find.ts";

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

export function findTask(client: AnyClient, typed: string): Promise<Task> {
  return find(taskKind(client), typed);
}

/** Accepts the id of a deleted task, because its runs and triggers remain. */
export async function findTaskId(client: AnyClient, typed: string): Promise<string> {
  return isIdOf("tsk", typed) ? typed : (await findTask(client, typed)).id;
}
