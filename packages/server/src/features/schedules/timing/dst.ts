import type { Instant } from "../../../kernel/time/time.ts";
import type { LocalTimes } from "./local-times.ts";
import { latestLocalBefore, type Span, type Zone } from "./zone.ts";

export interface DstPolicy {
  readonly gap: "run_after" | "skip";
  readonly overlap: "first" | "both";
}

export interface CronRules {
  readonly times: LocalTimes;
  /** The hour field begins with a star. */
  readonly isHourWild: boolean;
  readonly zone: Zone;
  readonly dst: DstPolicy;
}

/**
 * A time zone segment: a span of one offset, and the range of local times that count in it. Within a span, local and elapsed
 * time advance together. So the occurrences are the schedule's local times in the range, minus the offset. Daylight saving
 * decides only the range:
 *
 * - A wildcard hour follows the wall clock: each span counts in full. Skipped local times do not occur; repeated ones occur
 *   twice.
 * - A fixed hour runs once for each local time. `seenUntil` is the latest local time that clocks showed before the span.
 *   Clocks went back: local times before it have already run (`overlap: first`), or run again (`both`).
 *   Clocks went forward: local times from it to the span's start were skipped. They run together at the span's first
 *   instant (`run_after`), which is one occurrence even if it matches itself, or they are dropped (`skip`).
 */
export interface Segment {
  readonly times: LocalTimes;
  readonly span: Span;
  /** Local times in [localFrom, localUntil) count. */
  readonly localFrom: number;
  readonly localUntil: number;
  /** The span's first instant, if it replaces skipped local times. */
  readonly gapEnd: Instant | null;
}

export function segmentAt({ times, isHourWild, zone, dst }: CronRules, instant: Instant): Segment {
  const span = zone.spanAt(instant);
  const localStart = span.from + span.offsetMs;
  const localUntil = span.until + span.offsetMs;
  if (isHourWild) return { times, span, localFrom: localStart, localUntil, gapEnd: null };
  const seenUntil = latestLocalBefore(zone, span.from);
  const localFrom = dst.overlap === "first" ? Math.max(localStart, seenUntil) : localStart;
  const isGap = dst.gap === "run_after" && times.count(seenUntil, localStart) > 0;
  return { times, span, localFrom, localUntil, gapEnd: isGap ? span.from : null };
}

/** Finds the first occurrence of the segment at or after an instant. */
export function firstIn({ times, span, localFrom, localUntil, gapEnd }: Segment, from: Instant): Instant | null {
  if (gapEnd !== null && gapEnd >= from) return gapEnd;
  const local = times.next(Math.max(localFrom, from + span.offsetMs));
  return local !== null && local < localUntil ? local - span.offsetMs : null;
}

/** Finds the last occurrence of the segment before an instant. */
export function lastIn({ times, span, localFrom, localUntil, gapEnd }: Segment, until: Instant): Instant | null {
  const local = times.previous(Math.min(localUntil, until + span.offsetMs));
  if (local !== null && local >= localFrom) return local - span.offsetMs;
  return gapEnd !== null && gapEnd < until ? gapEnd : null;
}

/** Counts the occurrences of the segment in [from, until). */
export function countIn(segment: Segment, from: Instant, until: Instant): number {
  const { times, span, localFrom, localUntil, gapEnd } = segment;
  const start = Math.max(localFrom, from + span.offsetMs);
  const named = times.count(start, Math.min(localUntil, until + span.offsetMs));
  const isGapEndAlone = gapEnd !== null && gapEnd >= from && gapEnd < until && times.next(localFrom) !== localFrom;
  return named + (isGapEndAlone ? 1 : 0);
}
