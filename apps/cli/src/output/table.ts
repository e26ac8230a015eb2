import type { Paint } from "./paint.ts";
import { formatLocal, formatOffset } from "./time.ts";
import { printable, truncate, widthOf } from "./width.ts";

export interface Column<T> {
  readonly title: string;
  /** The text of the cell; in a column of times, the timestamp. */
  readonly text: (row: T) => string | null;
  readonly color?: (row: T) => Paint | null;
  readonly isNumber?: true;
  /** Timestamps, shown in the time zone of this machine. */
  readonly isTime?: true;
  /** Can be truncated on a narrow terminal; ids and times never are. */
  readonly isFlexible?: true;
  /** Left out if that makes each row fit in one line. */
  readonly isSpare?: true;
}

interface TableStyle {
  /** Width of the terminal; null if the output is not a terminal: nothing is aligned or truncated. */
  readonly columns: number | null;
  readonly paint: (paint: Paint, text: string) => string;
}

/** A column with its final texts and width. */
interface RenderedColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly paints: readonly (Paint | null)[];
  readonly isNumber: boolean;
  readonly isFlexible: boolean;
  readonly width: number;
}

const gap = "  ";
/** The start of a line that continues a row. */
const indent = "  ";
/** A flexible column is not narrower than this: what is left of a text must still say something. */
const narrowest = 12;

/** Renders the titles and the rows: aligned on a terminal, and separated by tabs elsewhere, for other programs. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], style: TableStyle): string {
  const lines = layOut(columns, rows, style.columns);
  const head = lines.flat().some(({ title }) => title !== "") ? [null] : [];
  return [...head, ...rows.keys()]
    .flatMap((row) => {
      const [first = "", ...more] = lines.map((line) => renderLine(line, style, row));
      return [first, ...more.filter((line) => line !== "").map((line) => `${indent}${line}`)];
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** The columns in one line or, if the terminal is too narrow even without the spare ones, all of them in several lines. */
function layOut<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  available: number | null,
): readonly (readonly RenderedColumn[])[] {
  const all = columns.map((column) => toRenderedColumn(column, rows));
  if (available === null) return [all];
  const needed = all.filter((_, index) => columns[index]!.isSpare !== true);
  const fitting = [all, needed].map((some) => fit(some, available)).find((some) => totalOf(some) <= available);
  return fitting === undefined ? breakLines(all, available) : [fitting];
}

function breakLines(columns: readonly RenderedColumn[], available: number): readonly (readonly RenderedColumn[])[] {
  const lines: RenderedColumn[][] = [];
  for (const column of columns) {
    const line = lines.at(-1);
    const widthLeft = available - (lines.length > 1 ? indent.length : 0);
    if (line !== undefined && totalOf([...line, column]) <= widthLeft) line.push(column);
    else {
      const widthMax = available - (line === undefined ? 0 : indent.length);
      lines.push([{ ...column, width: column.isFlexible ? Math.min(column.width, widthMax) : column.width }]);
    }
  }
  return lines;
}

function renderLine(rendered: readonly RenderedColumn[], style: TableStyle, row: number | null): string {
  const cells = rendered.map(({ title, cells: texts, paints, width, isNumber }, index) => {
    const whole = row === null ? title : texts[row]!;
    const text = style.columns === null ? whole : truncate(whole, width);
    const paint = row === null ? "dim" : paints[row]!;
    const painted = paint === null ? text : style.paint(paint, text);
    if (style.columns === null) return painted;
    const padding = " ".repeat(width - widthOf(text));
    if (isNumber) return padding + painted;
    return index === rendered.length - 1 ? painted : painted + padding;
  });
  return style.columns === null ? cells.join("\t") : cells.join(gap).trimEnd();
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

/** Shows the UTC offset once, next to the title, unless the times have different offsets. */
function timesOf<T>({ title, text }: Column<T>, rows: readonly T[]): Pick<RenderedColumn, "title" | "cells"> {
  const timestamps = rows.map(text);
  const offsets = new Set(timestamps.flatMap((timestamp) => (timestamp === null ? [] : [formatOffset(timestamp)])));
  if (offsets.size !== 1) return { title, cells: timestamps.map(formatLocal) };
  const [offset] = offsets;
  return {
    title: `${title} ${offset}`,
    cells: timestamps.map((timestamp) => formatLocal(timestamp).replace(` ${offset}`, "")),
  };
}

/** Narrows the widest flexible column, one character at a time, until the table fits or no column can shrink. */
function fit(rendered: readonly RenderedColumn[], available: number): readonly RenderedColumn[] {
  const fitted = rendered.map((column) => ({ ...column }));
  for (let excess = totalOf(fitted) - available; excess > 0; excess -= 1) {
    const flexible = fitted.filter(({ isFlexible, width }) => isFlexible && width > narrowest);
    if (flexible.length === 0) break;
    flexible.reduce((widest, column) => (column.width > widest.width ? column : widest)).width -= 1;
  }
  return fitted;
}

function totalOf(rendered: readonly RenderedColumn[]): number {
  return rendered.reduce((sum, { width }) => sum + width, gap.length * (rendered.length - 1));
}
