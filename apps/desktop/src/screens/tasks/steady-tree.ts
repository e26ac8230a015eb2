import { useMemo, useRef, useState } from "react";
import { useHold } from "../../components/hold.ts";
import type { SteadyRows } from "../../components/steady-rows.ts";
import type { TreeLine } from "./tree-lines.ts";

export interface Placed {
  readonly lines: readonly TreeLine[];
  /** How many lines are not shown yet. */
  readonly waiting: number;
}

/**
 * Keeps the first lines where they are, `held` of them: new lines among them wait, and lines that are gone keep their
 * place. What somebody asked for does not wait: more tasks of a group come where its rest stood, and a folded group
 * takes what is below it away.
 */
export function keepPlaces(next: readonly TreeLine[], shown: readonly TreeLine[], held: number): Placed {
  const byId = new Map(next.map((line) => [line.id, line]));
  const indexOf = new Map(next.map(({ id }, index) => [id, index]));
  const known = new Set(shown.map(({ id }) => id));
  const placed = new Map<string, TreeLine>();
  const place = (line: TreeLine): void => void (placed.has(line.id) || placed.set(line.id, line));
  let last = -1;
  for (const line of shown.slice(0, held)) {
    if (line.is === "rest")
      for (const task of next)
        if (task.is === "task" && task.parent === line.parent && !known.has(task.id)) place(task);
    const now = byId.get(line.id);
    if (now !== undefined) {
      place(now);
      last = Math.max(last, indexOf.get(now.id)!);
    } else if (line.is !== "rest" && isOpen(line.parent, byId)) place({ ...line, isGone: true });
  }
  const before = next.slice(0, last + 1);
  // a line that came from below, by another name, cannot be shown among those that stay
  for (const line of before) if (known.has(line.id)) place(line);
  for (const line of next.slice(last + 1)) place(line);
  return { lines: [...placed.values()], waiting: before.filter(({ id }) => !placed.has(id)).length };
}

function isOpen(parent: string | null, byId: ReadonlyMap<string, TreeLine>): boolean {
  if (parent === null) return true;
  const group = byId.get(parent);
  return group?.is === "group" && group.isUnfolded && isOpen(group.parent, byId);
}

/** Keeps what somebody points at, and what has the focus, where it is. Another `scope` is another list. */
export function useSteadyTree(lines: readonly TreeLine[], scope: string): SteadyRows<TreeLine> {
  const hold = useHold();
  const [asked, setAsked] = useState(0);
  const former = useRef<{ readonly lines: readonly TreeLine[]; readonly of: string }>({ lines: [], of: "" });
  const of = `${asked} ${scope}`;
  const { lines: shown, waiting } = useMemo(() => {
    const held = hold.kept !== "nothing" && former.current.of === of ? countHeld() : 0;
    const placed = held === 0 ? { lines, waiting: 0 } : keepPlaces(lines, former.current.lines, held);
    former.current = { lines: placed.lines, of };
    return placed;
  }, [lines, hold.kept, of]);
  return { rows: shown, waiting, show: () => setAsked((times) => times + 1), hold: hold.target };
}

/** How many rows end with the last one that somebody points at, that has the focus, or whose menu is open. */
function countHeld(): number {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-rows] > [data-row]")];
  const held = rows.filter((row) => row.matches(":hover, :focus-within, :has([data-state=open])"));
  return Math.max(0, ...held.map((row) => Number(row.dataset["row"]) + 1));
}
