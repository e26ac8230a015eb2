import type { Paint } from "./paint.ts";
import { printable, truncate, widthOf } from "./width.ts";

export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
  readonly color?: (row: T) => Paint | null;
  readonly isNumber?: true;
  /** May be cut where the terminal is narrow; ids and times never are. */
  readonly isFlexible?: true;
}

export interface TableStyle {
  /** Null where nothing is cut: the reader is no terminal. */
  readonly columns: number | null;
  readonly paint: (paint: Paint, text: string) => string;
}

const gap = "  ";
const narrowest = 8;

/** Aligned lines, titles first. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], style: TableStyle): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))));
  const natural = columns.map((column, index) => Math.max(widthOf(column.title), ...cells.map((line) => widthOf(line[index]!))));
  const widths = style.columns === null ? natural : fit(natural, columns.map((column) => column.isFlexible === true), style.columns);
  const line = (texts: readonly string[], paintOf: (index: number) => Paint | null): string =>
    texts
      .map((text, index) => {
        const cut = truncate(text, widths[index]!);
        const padding = " ".repeat(widths[index]! - widthOf(cut));
        const paint = paintOf(index);
        const painted = paint === null ? cut : style.paint(paint, cut);
        if (columns[index]!.isNumber === true) return padding + painted;
        return index === columns.length - 1 ? painted : painted + padding;
      })
      .join(gap)
      .trimEnd();
  const head = line(columns.map(({ title }) => title), () => "dim");
  return [head, ...rows.map((row, at) => line(cells[at]!, (index) => columns[index]!.color?.(row) ?? null))].map((text) => `${text}\n`).join("");
}

/** The widest flexible column gives first, one by one, until all fit or none can give more. */
function fit(natural: readonly number[], isFlexible: readonly boolean[], available: number): readonly number[] {
  const widths = [...natural];
  const total = (): number => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
  for (let excess = total() - available; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      if (isFlexible[index] === true && width > narrowest && width > (widths[widest] ?? 0)) widest = index;
    }
    if (widest < 0) break;
    widths[widest]! -= 1;
  }
  return widths;
}
