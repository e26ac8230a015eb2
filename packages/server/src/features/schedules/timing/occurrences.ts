import type { Instant } from "../../../kernel/time/time.ts";
import type { ClockGap } from "./clock-gap.ts";

/** The instants of a schedule, without its start and end. */
export interface Occurrences {
  /** Finds the first occurrence in [from, until). */
  readonly first: (from: Instant, until: Instant) => Instant | null;
  /** Finds the last occurrence in [from, until). */
  readonly last: (from: Instant, until: Instant) => Instant | null;
  /** Counts the occurrences in [from, until). */
  readonly count: (from: Instant, until: Instant) => number;
  /** Whether it replaces local times that the clocks skipped. */
  readonly fillsGap: (instant: Instant) => boolean;
  /** Lists the first `limit` gaps in [from, until) over local times of the schedule. */
  readonly gaps: (from: Instant, until: Instant, limit: number) => ClockGap[];
}

/** Creates the occurrences of a fixed interval, before and after the anchor; `starts_at` is a separate bound. */
export function intervalOccurrences(anchorAt: Instant, everyMs: number): Occurrences {
  /** Returns the number of the first occurrence at or after an instant. */
  const indexAt = (instant: Instant): number => Math.ceil((instant - anchorAt) / everyMs);
  const within = (index: number, from: Instant, until: Instant): Instant | null => {
    const instant = anchorAt + index * everyMs;
    return instant >= from && instant < until ? instant : null;
  };
  return {
    first: (from, until) => within(indexAt(from), from, until),
    last: (from, until) => within(indexAt(until) - 1, from, until),
    count: (from, until) => Math.max(0, indexAt(until) - indexAt(from)),
    fillsGap: () => false,
    gaps: () => [],
  };
}

export function singleOccurrence(at: Instant): Occurrences {
  const within = (from: Instant, until: Instant): Instant | null => (at >= from && at < until ? at : null);
  return {
    first: within,
    last: within,
    count: (from, until) => (within(from, until) === null ? 0 : 1),
    fillsGap: () => false,
    gaps: () => [],
  };
}
