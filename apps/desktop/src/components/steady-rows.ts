import { useMemo, useRef, useState } from "react";
import { type Hold, useHold } from "./hold.ts";

export interface SteadyRows<T> {
  readonly rows: readonly T[];
  /** The number of rows that are not shown yet. */
  readonly waiting: number;
  readonly show: () => void;
  /** For the element that holds the rows and the button that shows the new ones. */
  readonly hold: Hold["target"];
  /** The row only keeps its place: it is not in the list any more. */
  readonly isGone?: (row: T) => boolean;
}

export interface PlacedRows<T> {
  readonly rows: readonly T[];
  readonly waiting: number;
  /** The ids of rows that are not in the list any more. */
  readonly gone: ReadonlySet<string>;
}

export interface KeepRowsOptions<T> {
  readonly idOf: (row: T) => string;
  /** Rows after the last one that is shown do not wait: they move nothing. */
  readonly mayAppend: boolean;
  /** The list may be longer than what was read of it, so that new rows push the last ones out of it. */
  readonly isCut: boolean;
}

/** Keeps the rows that are shown where they are: they change in place, and new ones wait. */
export function keepRows<T>(
  next: readonly T[],
  shown: readonly T[],
  { idOf, mayAppend, isCut }: KeepRowsOptions<T>,
): PlacedRows<T> {
  const byId = new Map(next.map((row) => [idOf(row), row]));
  const known = new Set(shown.map(idOf));
  const isNew = (row: T): boolean => !known.has(idOf(row));
  const afterLast = next.findLastIndex((row) => !isNew(row)) + 1;
  const among = next.slice(0, afterLast).filter(isNew).length;
  const appended = mayAppend && (afterLast > 0 || shown.length === 0) ? next.slice(afterLast) : [];
  const missing = [...known].filter((id) => !byId.has(id));
  const gone = new Set(missing.slice(0, isCut ? Math.max(0, missing.length - among) : missing.length));
  return {
    rows: [...shown.map((row) => byId.get(idOf(row)) ?? row), ...appended],
    waiting: next.filter(isNew).length - appended.length,
    gone,
  };
}

export interface SteadyOptions<T> {
  readonly idOf: (row: T) => string;
  /** Identifies the question that the rows answer: rows of another question replace those that are shown. */
  readonly question?: string | undefined;
  readonly isCut?: boolean;
  readonly isSteady?: boolean;
  /** Whether the lists above keep their height while somebody points at these rows. Default: true. */
  readonly holdsAbove?: boolean;
}

const none: ReadonlySet<string> = new Set();

/**
 * Keeps rows where they are while somebody points at the list or has the focus in it, and while somebody does so in a
 * list below it. `rows` is null while nothing is known.
 */
export function useSteadyRows<T>(
  rows: readonly T[] | null,
  { idOf, question, isCut = false, isSteady = true, holdsAbove = true }: SteadyOptions<T>,
): SteadyRows<T> {
  const [asked, setAsked] = useState(0);
  const { kept, target } = useHold(holdsAbove);
  const former = useRef<{ readonly rows: readonly T[]; readonly of: string | null }>({ rows: [], of: null });
  const of = `${asked} ${question ?? ""}`;
  const placed = useMemo<PlacedRows<T>>(() => {
    const next = rows ?? [];
    const shown = former.current.rows;
    const isSame = former.current.of === of && (question !== undefined || isContinued(next, shown, idOf));
    const result =
      isSteady && kept !== "nothing" && isSame
        ? keepRows(next, shown, { idOf, mayAppend: kept === "rows", isCut })
        : { rows: next, waiting: 0, gone: none };
    former.current = { rows: result.rows, of: rows === null ? null : of };
    return result;
  }, [rows, kept, of, isCut, isSteady]);
  return {
    rows: placed.rows,
    waiting: placed.waiting,
    show: () => setAsked((times) => times + 1),
    hold: isSteady ? target : {},
    isGone: (row) => placed.gone.has(idOf(row)),
  };
}

/** A list that shares no row with the former one is probably another list. */
function isContinued<T>(next: readonly T[], shown: readonly T[], idOf: (row: T) => string): boolean {
  const ids = new Set(shown.map(idOf));
  return next.length === 0 || next.some((row) => ids.has(idOf(row)));
}
