import type { Clock } from "../../../kernel/time/clock.ts";
import type { Instant } from "../../../kernel/time/time.ts";

/** If the wall clock and the monotonic clock differ by more, the clock was set or the machine slept. */
const driftMaxMs = 2_000;

/** Tracks since when the daemon has been awake, as precisely as it is polled. */
export function createClockWatch(clock: Clock) {
  const read = () => ({ wall: clock.now(), monotonic: clock.monotonicMs() });
  let last = read();
  let awakeSince: Instant = last.wall;

  return {
    get awakeSince(): Instant {
      return awakeSince;
    },
    /** Returns how far the wall clock has jumped since the last look, or 0. */
    look: (): number => {
      const here = read();
      const driftMs = Math.round(here.wall - last.wall - (here.monotonic - last.monotonic));
      last = here;
      if (Math.abs(driftMs) <= driftMaxMs) return 0;
      // the time of waking is unknown: instants due before this check may have been missed
      awakeSince = driftMs > 0 ? here.wall : awakeSince + driftMs;
      return driftMs;
    },
  };
}
