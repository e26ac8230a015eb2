import type { Group, Task } from "@belfry/client";

export interface ClosedGroupsOptions {
  /** The group that the agenda is limited to; undefined for all. */
  readonly groupId: string | undefined;
  /** The task that the agenda is limited to; undefined for all, and null while it is not known. */
  readonly task: Pick<Task, "group_id"> | null | undefined;
}

/** The disabled groups that keep schedules out of an agenda: also those above the group, or the task, that was asked for. */
export function closedGroupsOf(groups: readonly Group[], { groupId, task }: ClosedGroupsOptions): readonly Group[] {
  const closed = groups.filter(({ enabled }) => !enabled);
  if (groupId === undefined && task === undefined) return closed;
  if (task === null || (task !== undefined && groupId !== undefined && task.group_id !== groupId)) return [];
  const path = new Set<string>();
  for (let id = groupId ?? task?.group_id ?? null; id !== null && !path.has(id);) {
    path.add(id);
    const here = id;
    id = groups.find((group) => group.id === here)?.parent_id ?? null;
  }
  return closed.filter(({ id }) => path.has(id));
}
