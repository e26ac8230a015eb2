import type { Sink } from "../host.ts";
import { printable } from "./width.ts";

const intervalMs = 1_000;
const eraseLine = "\r\u001B[K";

/** Shows a line of progress on a terminal, updates it each second and erases it at the end. */
export function progressOn(sink: Sink, text: () => string): Disposable {
  if (sink.isTTY !== true) return { [Symbol.dispose]: () => {} };
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    sink.write(`${eraseLine}${printable(text())}`);
  }, intervalMs);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      if (isShown) sink.write(eraseLine);
    },
  };
}
