import type { Client, NotificationAssignments } from "@belfry/client";
import { usage } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { text } from "../../options.ts";

/** Whose assignments: a task's, or with `--group` a group's. */
export const scopeOptions = { group: text("--group <group>", "those of a group, for all tasks below it") } as const;

type Assignments = NotificationAssignments["assignments"];

export interface Scope {
  /** `the task "x"`. */
  readonly words: string;
  readonly taskId: string | null;
  readonly read: () => PromiseLike<NotificationAssignments>;
  readonly replace: (assignments: Assignments) => PromiseLike<NotificationAssignments>;
}

export async function findScope(client: Client, task: string | undefined, group: string | undefined): Promise<Scope> {
  const { notificationAssignments: api } = client;
  if ((task === undefined) === (group === undefined)) throw usage("name a task, or a group with --group");
  if (group !== undefined) {
    const { id, name } = await findGroup(client, group);
    return {
      words: `the group ${JSON.stringify(name)}`,
      taskId: null,
      read: () => api.ofGroup(id),
      replace: (assignments) => api.replaceOfGroup(id, { assignments }),
    };
  }
  const { id, name } = await findTask(client, task ?? "");
  return {
    words: `the task ${JSON.stringify(name)}`,
    taskId: id,
    read: () => api.ofTask(id),
    replace: (assignments) => api.replaceOfTask(id, { assignments }),
  };
}
