import { printable, widthOf } from "./width.ts";

/** A label and its value; null leaves the line out. */
export type Detail = readonly [label: string, value: string | null];

/** One resource, with one member per line. */
export function renderDetails(details: readonly Detail[]): string {
  const shown = details.filter((detail): detail is readonly [string, string] => detail[1] !== null);
  const width = Math.max(...shown.map(([label]) => widthOf(label)));
  return shown.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}\n`).join("");
}
