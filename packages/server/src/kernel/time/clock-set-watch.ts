import type { Clock } from "./clock.ts";

export interface ClockSetWatch {
  /** Returns by how much the wall clock was set since the last look: negative if it was set back, 0 if it was not set. */
  readonly look: () => number;
  /** Makes the next look report the last change again. */
  readonly undo: () => void;
}

/** Smaller differences are corrections of a clock that runs too fast or too slow. */
const setMinMs = 2_000;

/** Notices that the wall clock was set. Time in which the machine slept does not count. */
export function createClockSetWatch(clock: Clock): ClockSetWatch {
  const read = () => ({
    fromMonotonic: clock.now() - clock.monotonicMs(),
    fromUptime: clock.now() - clock.uptimeMs(),
  });
  let last = read();
  let before = last;
  return {
    look: () => {
      // without this check, each look would read the uptime from a file
      if (Math.abs(clock.now() - clock.monotonicMs() - last.fromMonotonic) <= setMinMs) return 0;
      before = last;
      last = read();
      const byMs = Math.round(last.fromUptime - before.fromUptime);
      return Math.abs(byMs) <= setMinMs ? 0 : byMs;
    },
    undo: () => void (last = before),
  };
}
