import type { Client, Task } from "@belfry/client";
import { find, type Kind } from "./find.ts";

export function tasksOf(client: Client): Kind<Task> {
  return {
    noun: "task",
    idPrefix: "tsk",
    get: (id) => client.tasks.get(id),
    search: (part) => client.tasks.list({ limit: 1000, ...(part === null ? {} : { q: part }) }),
    pathOf: (task) => (task.group_name === null ? task.name : `${task.group_name}/${task.name}`),
  };
}

export function findTask(client: Client, typed: string): Promise<Task> {
  return find(tasksOf(client), typed);
}
