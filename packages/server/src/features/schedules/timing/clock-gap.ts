import { formatLocal, type Instant } from "../../../kernel/time/time.ts";
import type { CronRules } from "./dst.ts";
import { latestLocalBefore, type Span } from "./zone.ts";

/** Where clocks go forward over local times that a schedule names. */
export interface ClockGap {
  readonly at: Instant;
  readonly lengthMs: number;
  /** The local times that clocks skip, at most the first `localsMax`: `2026-03-08T02:30:00`. */
  readonly locals: readonly string[];
  readonly localCount: number;
  /** The instant at which they run together instead; null if they do not run. */
  readonly runsAt: Instant | null;
}

/** Enough for each minute of an hour, and more than people read. */
export const localsMax = 100;

/** Returns the gap before a span, or null if the schedule names no local time in it. */
export function gapBefore({ times, isHourWild, zone, dst }: CronRules, span: Span): ClockGap | null {
  const [skippedFrom, skippedUntil] = [latestLocalBefore(zone, span.from), span.from + span.offsetMs];
  const localCount = times.count(skippedFrom, skippedUntil);
  if (localCount === 0) return null;
  const locals: string[] = [];
  for (let local = skippedFrom; locals.length < Math.min(localCount, localsMax); local += 1) {
    local = times.next(local)!;
    locals.push(formatLocal(local));
  }
  return {
    at: span.from,
    lengthMs: skippedUntil - skippedFrom,
    locals,
    localCount,
    runsAt: isHourWild || dst.gap === "skip" ? null : span.from,
  };
}
