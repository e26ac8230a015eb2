import type { Sink } from "../host.ts";
import { rowsOf } from "./terminal.ts";
import { escapeUnsafe } from "./width.ts";

export interface Screen {
  /** Replaces what was drawn before. */
  readonly draw: (text: string) => void;
}

const eraseToEndOfLine = "\u001B[K";
const eraseBelow = "\u001B[J";

/** Draws a text in place on a terminal; null if the output is not one. */
export function openScreen(sink: Sink): Screen | null {
  if (sink.isTTY !== true) return null;
  let drawn = 0;
  return {
    draw: (text) => {
      const lines = clip(escapeUnsafe(text).split("\n"), rowsOf(sink));
      const up = drawn === 0 ? "" : `\u001B[${drawn}A\r`;
      sink.write(`${up}${lines.map((line) => `${line}${eraseToEndOfLine}\n`).join("")}${eraseBelow}`);
      drawn = lines.length;
    },
  };
}

/** The cursor cannot move back over lines that the terminal has scrolled away. */
function clip(lines: readonly string[], rows: number | null): readonly string[] {
  const linesMax = Math.max(1, (rows ?? Number.POSITIVE_INFINITY) - 1);
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax - 1), `and ${lines.length - linesMax + 1} more lines`];
}
