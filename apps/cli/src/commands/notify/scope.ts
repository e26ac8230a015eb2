import type { NotificationAssignments } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { usage } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { text } from "../../options.ts";

/** The assignments of a task, or with `--group` of a group. */
export const scopeOptions = {
  group: text(
    "--group <group>",
    "use a group instead of a task; tasks and subgroups without channels of their own inherit the group's channels",
  ),
} as const;

type Assignments = NotificationAssignments["assignments"];

export interface Scope {
  /** `task "x"`. */
  readonly label: string;
  readonly isGroup: boolean;
  readonly taskId: string | null;
  readonly read: () => PromiseLike<NotificationAssignments>;
  readonly replace: (assignments: Assignments) => PromiseLike<NotificationAssignments>;
}

export async function findScope(
  client: AnyClient,
  task: string | undefined,
  group: string | undefined,
): Promise<Scope> {
  const { notificationAssignments: api } = client;
  if ((task === undefined) === (group === undefined)) throw usage("give either a task, or a group with --group");
  if (group !== undefined) {
    const { id, name } = await findGroup(client, group);
    return {
      label: `group ${JSON.stringify(name)}`,
      isGroup: true,
      taskId: null,
      read: () => api.ofGroup(id),
      replace: (assignments) => api.replaceOfGroup(id, { assignments }),
    };
  }
  const { id, name } = await findTask(client, task ?? "");
  return {
    label: `task ${JSON.stringify(name)}`,
    isGroup: false,
    taskId: id,
    read: () => api.ofTask(id),
    replace: (assignments) => api.replaceOfTask(id, { assignments }),
  };
}
