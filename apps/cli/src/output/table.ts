import type { Paint } from "./paint.ts";
import { formatLocal, formatOffset } from "./time.ts";
import { printable, truncate, widthOf } from "./width.ts";

export interface Column<T> {
  readonly title: string;
  /** What the cell says; of a column of times, the instant. */
  readonly text: (row: T) => string | null;
  readonly color?: (row: T) => Paint | null;
  readonly isNumber?: true;
  /** Instants, shown in the reader's zone. */
  readonly isTime?: true;
  /** May be cut where the terminal is narrow; ids and times never are. */
  readonly isFlexible?: true;
  /** Left out where the terminal is too narrow for all. */
  readonly isSpare?: true;
}

interface TableStyle {
  /** Null where nothing is cut: the reader is no terminal. */
  readonly columns: number | null;
  readonly paint: (paint: Paint, text: string) => string;
}

/** A column as it will be written. */
interface RenderedColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly paints: readonly (Paint | null)[];
  readonly isNumber: boolean;
  readonly isFlexible: boolean;
  readonly width: number;
}

const gap = "  ";
const narrowest = 8;

/** Aligned lines, titles first. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], style: TableStyle): string {
  const all = fit(
    columns.map((column) => toRenderedColumn(column, rows)),
    style.columns,
  );
  const spared = fit(
    columns.filter(({ isSpare }) => isSpare !== true).map((column) => toRenderedColumn(column, rows)),
    style.columns,
  );
  const rendered = style.columns !== null && totalOf(all) > style.columns ? spared : all;
  const head = rendered.some(({ title }) => title !== "") ? [renderLine(rendered, style, null)] : [];
  return [...head, ...rows.map((_, row) => renderLine(rendered, style, row))].map((line) => `${line}\n`).join("");
}

function renderLine(rendered: readonly RenderedColumn[], style: TableStyle, row: number | null): string {
  const cells = rendered.map(({ title, cells: texts, paints, width, isNumber }, index) => {
    const text = truncate(row === null ? title : texts[row]!, width);
    const paint = row === null ? "dim" : paints[row]!;
    const painted = paint === null ? text : style.paint(paint, text);
    const padding = " ".repeat(width - widthOf(text));
    if (isNumber) return padding + painted;
    return index === rendered.length - 1 ? painted : painted + padding;
  });
  return cells.join(gap).trimEnd();
}

function toRenderedColumn<T>(column: Column<T>, rows: readonly T[]): RenderedColumn {
  const { title, cells } = column.isTime === true ? timesOf(column, rows) : textsOf(column, rows);
  return {
    title,
    cells,
    paints: rows.map((row) => column.color?.(row) ?? null),
    isNumber: column.isNumber === true,
    isFlexible: column.isFlexible === true,
    width: cells.reduce((width, cell) => Math.max(width, widthOf(cell)), widthOf(title)),
  };
}

function textsOf<T>({ title, text }: Column<T>, rows: readonly T[]): Pick<RenderedColumn, "title" | "cells"> {
  return { title, cells: rows.map((row) => printable(text(row) ?? "-")) };
}

/** The offset is said once, beside the title, unless the clock was changed between two of the times. */
function timesOf<T>({ title, text }: Column<T>, rows: readonly T[]): Pick<RenderedColumn, "title" | "cells"> {
  const instants = rows.map(text);
  const offsets = new Set(instants.flatMap((instant) => (instant === null ? [] : [formatOffset(instant)])));
  if (offsets.size !== 1) return { title, cells: instants.map(formatLocal) };
  const [offset] = offsets;
  return {
    title: `${title} ${offset}`,
    cells: instants.map((instant) => formatLocal(instant).replace(` ${offset}`, "")),
  };
}

/** The widest flexible column gives first, one by one, until all fit or none can give more. */
function fit(rendered: readonly RenderedColumn[], available: number | null): readonly RenderedColumn[] {
  const fitted = rendered.map((column) => ({ ...column }));
  for (let excess = available === null ? 0 : totalOf(fitted) - available; excess > 0; excess -= 1) {
    const flexible = fitted.filter(({ isFlexible, width }) => isFlexible && width > narrowest);
    if (flexible.length === 0) break;
    flexible.reduce((widest, column) => (column.width > widest.width ? column : widest)).width -= 1;
  }
  return fitted;
}

function totalOf(rendered: readonly RenderedColumn[]): number {
  return rendered.reduce((sum, { width }) => sum + width, gap.length * (rendered.length - 1));
}
