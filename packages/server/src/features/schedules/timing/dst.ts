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
 * Where clocks are moved. A zone's time is a row of spans with one offset each; in a span, local and elapsed time go
 * together, so a span's occurrences are the local times named in a range, less its offset. Only the range is a decision:
 *
 * - A wildcard hour follows the wall clock: each span counts in full. What clocks skip never was; what they repeat was twice.
 * - A fixed hour runs once for each local time. `seenUntil` is the latest local time that clocks showed before the span.
 *   Clocks went back: local times below it had their turn (`overlap: first`), or have another (`both`).
 *   Clocks went forward: local times from it to the span's first were skipped. They meet in the span's first instant
 *   (`run_after`), which is one occurrence even if it is named itself, or they are dropped (`skip`).
 */
export interface Passage {
  readonly times: LocalTimes;
  readonly span: Span;
  /** The local times that count here are those in [localFrom, localUntil). */
  readonly localFrom: number;
  readonly localUntil: number;
  /** The span's first instant, if it stands for a gap. */
  readonly gapEnd: Instant | null;
}

export function passageAt({ times, isHourWild, zone, dst }: CronRules, instant: Instant): Passage {
  const span = zone.spanAt(instant);
  const localStart = span.from + span.offsetMs;
  const localUntil = span.until + span.offsetMs;
  if (isHourWild) return { times, span, localFrom: localStart, localUntil, gapEnd: null };
  const seenUntil = latestLocalBefore(zone, span.from);
  const localFrom = dst.overlap === "first" ? Math.max(localStart, seenUntil) : localStart;
  const isGap = dst.gap === "run_after" && times.count(seenUntil, localStart) > 0;
  return { times, span, localFrom, localUntil, gapEnd: isGap ? span.from : null };
}

/** The first occurrence of the passage at or after an instant. */
export function firstIn({ times, span, localFrom, localUntil, gapEnd }: Passage, from: Instant): Instant | null {
  if (gapEnd !== null && gapEnd >= from) return gapEnd;
  const local = times.next(Math.max(localFrom, from + span.offsetMs));
  return local !== null && local < localUntil ? local - span.offsetMs : null;
}

/** The last occurrence of the passage before an instant. */
export function lastIn({ times, span, localFrom, localUntil, gapEnd }: Passage, until: Instant): Instant | null {
  const local = times.previous(Math.min(localUntil, until + span.offsetMs));
  if (local !== null && local >= localFrom) return local - span.offsetMs;
  return gapEnd !== null && gapEnd < until ? gapEnd : null;
}

/** How many occurrences of the passage lie in [from, until). */
export function countIn(passage: Passage, from: Instant, until: Instant): number {
  const { times, span, localFrom, localUntil, gapEnd } = passage;
  const start = Math.max(localFrom, from + span.offsetMs);
  const named = times.count(start, Math.min(localUntil, until + span.offsetMs));
  const isGapEndAlone = gapEnd !== null && gapEnd >= from && gapEnd < until && times.next(localFrom) !== localFrom;
  return named + (isGapEndAlone ? 1 : 0);
}
