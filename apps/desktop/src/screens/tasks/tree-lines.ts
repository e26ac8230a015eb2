import type { Group, Task } from "@belfry/client";
import { compareNames } from "./group-path.ts";

/** Stands for the id of a group where a task is in none. */
export const ungrouped = "ungrouped";

interface Place {
  readonly id: string;
  /** The group below which the line stands; null for none. */
  readonly parent: string | null;
  /** From 1. */
  readonly level: number;
  /** The line only keeps its place: what it shows was deleted or moved. */
  readonly isGone?: true;
}

export interface TaskLine extends Place {
  readonly is: "task";
  readonly task: Task;
}

export interface GroupLine extends Place {
  readonly is: "group";
  /** Null for the tasks that are in no group. */
  readonly group: Group | null;
  readonly isUnfolded: boolean;
  /** Nothing is in the group, as far as it is known. */
  readonly isEmpty: boolean;
  /** How many tasks are directly in the group, as far as it is known. */
  readonly tasks: { readonly count: number; readonly isAll: boolean } | null;
  readonly subgroups: number;
}

/** Stands where more tasks of a group will be. */
export interface RestLine extends Place {
  readonly is: "rest";
  readonly rest: Rest | null;
}

/** What is known of the tasks of a group that are not read yet. */
export interface Rest {
  /** Why they are not there. */
  readonly error: unknown;
  readonly again: () => void;
  /** Reads the next of them; null while something is read. */
  readonly more: (() => void) | null;
}

export type TreeLine = TaskLine | GroupLine | RestLine;

/** The tasks of a group that are known. */
export interface KnownTasks {
  readonly tasks: readonly Task[];
  readonly hasMore: boolean;
}

export interface Tree {
  readonly groups: readonly Group[];
  /** Null while nothing is known. */
  readonly tasksOf: (groupId: string) => KnownTasks | null;
  readonly restOf: (groupId: string) => Rest | null;
  readonly isUnfolded: (groupId: string) => boolean;
  /** The tasks in no group have a heading, so that they can be folded. */
  readonly namesUngrouped: boolean;
}

/** The lines of a tree: tasks in no group come first, and those of a group before its subgroups, as in the timeline. */
export function linesOf({ groups, tasksOf, restOf, isUnfolded, namesUngrouped }: Tree): readonly TreeLine[] {
  const known = new Set(groups.map(({ id }) => id));
  const byParent = Map.groupBy(groups, ({ parent_id }) =>
    parent_id !== null && known.has(parent_id) ? parent_id : null,
  );
  const below = (id: string | null): readonly Group[] =>
    (byParent.get(id) ?? []).toSorted((a, b) => compareNames(a.name, b.name));
  const lines: TreeLine[] = [];
  const addTasks = (groupId: string, parent: string | null, level: number): void => {
    const read = tasksOf(groupId);
    for (const task of inNameOrder(read)) lines.push({ is: "task", id: task.id, task, parent, level });
    if (read === null || read.hasMore)
      lines.push({ is: "rest", id: `rest of ${groupId}`, parent, level, rest: restOf(groupId) });
  };
  const addGroup = (id: string, group: Group | null, level: number): void => {
    const read = tasksOf(id);
    const subgroups = below(id);
    lines.push({
      is: "group",
      id,
      group,
      parent: level === 1 ? null : (group?.parent_id ?? null),
      level,
      isUnfolded: isUnfolded(id),
      isEmpty: subgroups.length === 0 && read !== null && read.tasks.length === 0,
      tasks: read === null ? null : { count: read.tasks.length, isAll: !read.hasMore },
      subgroups: subgroups.length,
    });
    if (!isUnfolded(id)) return;
    addTasks(id, id, level + 1);
    for (const subgroup of subgroups) addGroup(subgroup.id, subgroup, level + 1);
  };
  if (namesUngrouped) addGroup(ungrouped, null, 1);
  else addTasks(ungrouped, null, 1);
  for (const group of below(null)) addGroup(group.id, group, 1);
  return lines;
}

/** The lines of a list without levels. */
export function flatLinesOf(tasks: readonly Task[]): readonly TreeLine[] {
  return tasks.map((task) => ({ is: "task", id: task.id, task, parent: null, level: 1 }));
}

/** The group whose tasks have to be known for a line; null for a folded one. */
export function groupOf(line: TreeLine): string | null {
  if (line.is !== "group") return line.parent ?? ungrouped;
  return line.isUnfolded ? line.id : null;
}

/** By names. What is read in parts keeps the daemon's order, so that no row jumps. */
function inNameOrder(read: KnownTasks | null): readonly Task[] {
  if (read === null) return [];
  if (read.hasMore || read.tasks.length > 100) return read.tasks;
  return read.tasks.toSorted((a, b) => compareNames(a.name, b.name));
}
