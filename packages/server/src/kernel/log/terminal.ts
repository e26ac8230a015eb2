import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import type { Clock } from "../time/clock.ts";

/** Pause before a terminal that takes no bytes is tried again. */
const retryMs = 100;

/**
 * Opens a terminal again, to write to it without waiting. Node waits for terminals, so one that is held by Ctrl-S or by a
 * dead connection would stop the daemon. Opening it anew keeps this setting from other programs in the same terminal.
 * Null if the terminal belongs to another user.
 */
export function openTerminal(fd: number, clock: Pick<Clock, "after">): Writable | null {
  let own: number;
  try {
    own = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
  const writeRest = (bytes: Buffer, done: (error?: Error | null) => void): void => {
    try {
      const written = writeSync(own, bytes);
      if (written === bytes.length) return done();
      writeRest(bytes.subarray(written), done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return done(error as Error);
      clock.after(retryMs, () => writeRest(bytes, done));
    }
  };
  return new Writable({
    write: (bytes: Buffer, _encoding, done) => writeRest(bytes, done),
    destroy: (error, done) => {
      closeSync(own);
      done(error);
    },
  });
}
