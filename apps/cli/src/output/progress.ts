import type { Sink } from "../host.ts";
import { printable } from "./width.ts";

const quietMs = 1_000;
const eraseLine = "\r\u001B[K";

/** A line that tells a waiting person what is waited for, renewed each second, erased at the end. Only on a terminal. */
export function progressOn(sink: Sink, text: () => string): Disposable {
  if (sink.isTTY !== true) return { [Symbol.dispose]: () => {} };
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    sink.write(`${eraseLine}${printable(text())}`);
  }, quietMs);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      if (isShown) sink.write(eraseLine);
    },
  };
}
