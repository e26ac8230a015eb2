import type { Clock } from "../../../kernel/time/clock.ts";
import type { Instant } from "../../../kernel/time/time.ts";

/** The wall against the monotonic clock: more than this apart, somebody set the clock or the machine slept. */
const driftMaxMs = 2_000;

/** Knows since when the daemon has been awake, as finely as it is asked. */
export function createClockWatch(clock: Clock) {
  const read = () => ({ wall: clock.now(), monotonic: clock.monotonicMs() });
  let last = read();
  let awakeSince: Instant = last.wall;

  return {
    get awakeSince(): Instant {
      return awakeSince;
    },
    /** How far the wall clock has jumped since the last look; 0 when it has not. */
    look: (): number => {
      const here = read();
      const driftMs = Math.round(here.wall - last.wall - (here.monotonic - last.monotonic));
      last = here;
      if (Math.abs(driftMs) <= driftMaxMs) return 0;
      // when it woke nobody knows: what fell due before this look may have been slept through
      awakeSince = driftMs > 0 ? here.wall : awakeSince + driftMs;
      return driftMs;
    },
  };
}
