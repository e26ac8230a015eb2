import type { KeyboardEvent } from "react";

/** Makes a table a tree: its rows have levels, and those with others below them fold. */
export interface TreeRows<T> {
  /** 1 for the rows that are below no other one. */
  readonly levelOf: (row: T) => number;
  /** Whether the rows below this one are shown; undefined where there are none. */
  readonly isUnfolded: (row: T) => boolean | undefined;
  readonly fold: (row: T, isFolded: boolean) => void;
  /** The row only has a name: its other columns are empty, without a dash. */
  readonly isHeading: (row: T) => boolean;
}

export interface TreePlace<T> {
  readonly tree: TreeRows<T>;
  readonly rows: readonly T[];
  readonly focus: (index: number) => void;
}

/** What the arrows to the right and to the left do in a tree: unfold or go down, fold or go up. */
export function followArrow<T>(event: KeyboardEvent, { tree, rows, focus }: TreePlace<T>): void {
  const isRight = event.key === "ArrowRight";
  if (!isRight && event.key !== "ArrowLeft") return;
  const place = event.target instanceof Element ? event.target.closest("[data-row]") : null;
  if (place === null) return;
  event.preventDefault();
  const index = Number(place.getAttribute("data-row"));
  const row = rows[index]!;
  const isUnfolded = tree.isUnfolded(row);
  if (isRight) {
    if (isUnfolded === false) tree.fold(row, false);
    else if (isUnfolded === true && rows[index + 1] !== undefined) focus(index + 1);
    return;
  }
  if (isUnfolded === true) return tree.fold(row, true);
  const level = tree.levelOf(row);
  const above = rows.findLastIndex((other, at) => at < index && tree.levelOf(other) < level);
  if (above !== -1) focus(above);
}

const shownLevelsMax = { wide: 8, narrow: 4 } as const;

/** How far a row stands to the right, in pixels. Deep levels share one place, so that their names keep their room. */
export function indentOf<T>(tree: TreeRows<T> | undefined, row: T, isNarrow: boolean): number {
  if (tree === undefined) return 0;
  const levels = tree.levelOf(row) - 1;
  return isNarrow ? 12 * Math.min(levels, shownLevelsMax.narrow) : 16 * Math.min(levels, shownLevelsMax.wide);
}
