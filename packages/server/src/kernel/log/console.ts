import type { Writable } from "node:stream";
import { type Clock, within } from "../time/clock.ts";

/** The most bytes that wait for a slow reader. Further lines are dropped: the log file has them too. */
const waitingBytesMax = 256 * 1024;

/** Writes lines to the terminal. If its reader stops or closes, the daemon neither waits nor ends. */
export interface Console {
  readonly write: (text: string) => void;
  /** Resolves when all lines are read, or after `limitMs`. */
  readonly drained: (clock: Pick<Clock, "after">, limitMs: number) => Promise<void>;
}

export function createConsole(stream: Writable): Console {
  let isOpen = true;
  // without a listener, a closed reader would end the daemon
  stream.removeAllListeners("error").on("error", () => (isOpen = false));
  return {
    write: (text) => {
      if (isOpen && stream.writableLength + text.length <= waitingBytesMax) stream.write(text);
    },
    drained: async (clock, limitMs) => {
      if (!isOpen || stream.writableLength === 0) return;
      await within(clock, limitMs, new Promise<void>((resolve) => stream.write("", () => resolve())));
    },
  };
}
