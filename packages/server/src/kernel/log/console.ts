import type { Writable } from "node:stream";
import { type Clock, within } from "../time/clock.ts";

/** Kept for a reader that is slow. What comes while it waits for more is dropped: the log file has it too. */
const waitingBytesMax = 256 * 1024;

/** Lines for the terminal. Its reader may stop or close: the daemon neither waits for it nor ends with it. */
export interface Console {
  readonly write: (text: string) => void;
  /** Resolves when all is read, or the time is up. */
  readonly drained: (clock: Pick<Clock, "after">, limitMs: number) => Promise<void>;
}

export function createConsole(stream: Writable): Console {
  let isOpen = true;
  // the command runs the daemon in its own process, and would end with its reader
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
