import type { Instant } from "../../../kernel/time/time.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";
import { type Delayed, dueOf } from "../timing-cache.ts";

type Listed = Pick<CompiledTiming, "last">;

/**
 * Returns a function that computes when instants after `decidedUntil` are due. Call it for the instants in order, first
 * to last. Instants are due in their own order: one that its jitter delays beyond the next one delays the next one too.
 */
export function createDueOrder(row: Delayed, timing: Listed, decidedUntil: Instant): (instant: Instant) => Instant {
  let latest: Instant | null = null;
  return (instant) => {
    latest = latest === null ? dueOfFirst(row, timing, [decidedUntil, instant]) : Math.max(latest, dueOf(row, instant));
    return latest;
  };
}

/**
 * Computes when the first instant is due. Walks back only over those instants whose full jitter could delay it further.
 */
function dueOfFirst(
  row: Delayed,
  timing: Listed,
  [decidedUntil, instant]: readonly [decidedUntil: Instant, instant: Instant],
): Instant {
  let latest = dueOf(row, instant);
  for (let at = instant; at + row.spreadMs + row.jitterMs > latest;) {
    const before = timing.last(decidedUntil, at - 1, 1)[0];
    if (before === undefined) break;
    latest = Math.max(latest, dueOf(row, before));
    at = before;
  }
  return latest;
}
