import type { Group, Task } from "@belfry/client";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFoldedGroups } from "../../data/folded-groups.ts";
import type { PagesRead } from "../../data/read.ts";
import { useTaskPages } from "./task-pages.ts";
import { groupOf, type KnownTasks, linesOf, type Rest, type TreeLine, ungrouped } from "./tree-lines.ts";

/** So many rows before the end of what is known, more is read. */
const aheadMax = 20;

export interface TaskTree {
  /** All tasks, or the first of them where there are more than one answer has. */
  readonly whole: PagesRead<Task>;
  /** Null while too little is known. */
  readonly lines: readonly TreeLine[] | null;
  /** The tasks are read group by group. */
  readonly isInParts: boolean;
  readonly report: Report;
}

export interface TaskTreeOptions {
  /** Null while they are not known. */
  readonly groups: readonly Group[] | null;
  readonly isWanted: boolean;
}

type Report = (groupId: string, read: PagesRead<Task>) => void;

/**
 * Tasks below their groups. Where one answer has all of them, the tree is made of it, and unfolded. Otherwise the groups
 * are folded, and the tasks of a group are read when it is unfolded.
 */
export function useTaskTree({ groups, isWanted }: TaskTreeOptions): TaskTree {
  const folded = useFoldedGroups();
  const [isLarge, setIsLarge] = useState(false);
  const whole = useTaskPages({}, isWanted && !isLarge);
  const [reads, setReads] = useState<ReadonlyMap<string, PagesRead<Task>>>(new Map());
  const report = useCallback<Report>((id, read) => setReads((former) => new Map([...former, [id, read]])), []);
  /** What one answer had, until the tasks became too many for it. Then the tree stays as it is. */
  const small = useRef<ReadonlyMap<string, KnownTasks> | null>(null);
  const isInParts = isLarge || whole.hasMore;
  useEffect(() => setIsLarge(isInParts), [isInParts]);
  const lines = useMemo(() => {
    if (groups === null || (whole.data === null && !isInParts)) return null;
    if (!isInParts) small.current = byGroup(whole.data ?? [], groups);
    const isUnfolded = (id: string): boolean =>
      !(folded.get(id) ?? (isInParts && small.current === null && id !== ungrouped));
    const tasksOf = (id: string): KnownTasks | null => {
      if (!isInParts) return small.current?.get(id) ?? null;
      // what nobody sees is not read again, so its number may be wrong
      if (!isUnfolded(id)) return null;
      const read = reads.get(id);
      if (read?.data) return { tasks: read.data, hasMore: read.hasMore };
      // without groups, the first of all tasks are the first of those in none
      if (small.current === null && groups.length === 0 && whole.data) return { tasks: whole.data, hasMore: true };
      return small.current?.get(id) ?? null;
    };
    const restOf = (id: string): Rest | null => {
      const read = reads.get(id);
      if (read === undefined) return null;
      const { data, error, again } = read;
      return { error, again, more: data === null || error !== null || read.isReading ? null : read.more };
    };
    const loose = tasksOf(ungrouped);
    if (isInParts && isUnfolded(ungrouped) && loose === null && !restOf(ungrouped)?.error) return null;
    const namesUngrouped = isInParts && small.current === null && groups.length > 0 && loose?.tasks.length !== 0;
    return linesOf({ groups, tasksOf, restOf, isUnfolded, namesUngrouped });
  }, [groups, whole.data, isInParts, folded, reads]);
  return { whole, lines, isInParts, report };
}

function byGroup(tasks: readonly Task[], groups: readonly Group[]): ReadonlyMap<string, KnownTasks> {
  const known = new Set(groups.map(({ id }) => id));
  // a group that was created a moment ago is not known yet
  const found = Map.groupBy(tasks, ({ group_id: id }) => (id !== null && known.has(id) ? id : ungrouped));
  return new Map([ungrouped, ...known].map((id) => [id, { tasks: found.get(id) ?? [], hasMore: false }]));
}

export interface TreeWindow {
  readonly onWindow: (first: number, last: number) => void;
  /** The groups whose tasks are in the window. */
  readonly groups: readonly string[];
}

/** Follows which groups are in the window, and reads more of them before their end is there. */
export function useTreeWindow(lines: readonly TreeLine[]): TreeWindow {
  const [groups, setGroups] = useState<readonly string[]>([]);
  const current = useRef({ lines, first: 0, last: 0 });
  current.current.lines = lines;
  const look = useCallback(() => {
    const { lines: all, first, last } = current.current;
    const seen = all.slice(first, last + 1).map(groupOf);
    const found = [...new Set(seen.filter((id) => id !== null))];
    setGroups((former) => (former.join() === found.join() ? former : found));
    for (const line of all.slice(first, last + 1 + aheadMax)) if (line.is === "rest") line.rest?.more?.();
  }, []);
  useEffect(look, [lines, look]);
  const onWindow = useCallback(
    (first: number, last: number) => {
      Object.assign(current.current, { first, last });
      look();
    },
    [look],
  );
  return { onWindow, groups };
}

export interface GroupReadersProps {
  readonly groups: readonly string[];
  readonly report: Report;
}

/** Reads the tasks of these groups, and again after events. It shows nothing. */
export function GroupReaders({ groups, report }: GroupReadersProps): ReactNode {
  return groups.map((id) => <GroupReader key={id} id={id} report={report} />);
}

function GroupReader({ id, report }: { readonly id: string; readonly report: Report }): ReactNode {
  const read = useTaskPages(id === ungrouped ? { grouped: false } : { group_id: id });
  const { data, error, hasMore, isReading } = read;
  useEffect(() => report(id, read), [id, data, error, hasMore, isReading, report]);
  return null;
}
