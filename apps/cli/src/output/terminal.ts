import type { Sink } from "../host.ts";

/** In a narrower terminal, lines are broken by the terminal itself. */
const narrowest = 20;

/** The columns of a terminal. A terminal that has not been told its size, as in a container or on a serial line, says 0. */
export function columnsOf({ columns = 0 }: Pick<Sink, "columns">, unknown = 80): number {
  return columns === 0 ? unknown : Math.max(columns, narrowest);
}

/** The rows of a terminal; null if they are not known. */
export function rowsOf({ rows = 0 }: Pick<Sink, "rows">): number | null {
  return rows === 0 ? null : rows;
}
