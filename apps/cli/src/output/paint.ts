import { styleText } from "node:util";
import type { Sink } from "../host.ts";

/** What a colour means; the terminal's own theme says how it looks. */
export type Paint = "good" | "bad" | "warn" | "dim" | "bold";

const formats = { good: "green", bad: "red", warn: "yellow", dim: "dim", bold: "bold" } as const;

/** Colours for a terminal that has them, unless NO_COLOR is set. */
export function painterFor(
  sink: Sink,
  environment: Readonly<Record<string, string | undefined>>,
): (paint: Paint, text: string) => string {
  const hasColors = sink.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  return (paint, text) =>
    hasColors && text !== "" ? styleText(formats[paint], text, { validateStream: false }) : text;
}
