import { styleText } from "node:util";
import type { Sink } from "../host.ts";

/** The meaning of a color; the theme of the terminal decides how it looks. */
export type Paint = "good" | "bad" | "warn" | "dim" | "bold";

const formats = { good: "green", bad: "red", warn: "yellow", dim: "dim", bold: "bold" } as const;

/** Colors text for a terminal that supports it, unless NO_COLOR is set. */
export function painterFor(
  sink: Sink,
  environment: Readonly<Record<string, string | undefined>>,
): (paint: Paint, text: string) => string {
  const isColored = hasColors(sink, environment);
  return (paint, text) =>
    isColored && text !== "" ? styleText(formats[paint], text, { validateStream: false }) : text;
}

export function hasColors(sink: Sink, environment: Readonly<Record<string, string | undefined>>): boolean {
  return sink.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
}
