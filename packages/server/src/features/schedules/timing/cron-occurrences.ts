import type { Instant } from "../../../kernel/time/time.ts";
import { dayMs } from "./civil-date.ts";
import { type ClockGap, gapBefore } from "./clock-gap.ts";
import type { Occurrences } from "./occurrences.ts";
import { countIn, type CronRules, firstIn, lastIn, segmentAt } from "./dst.ts";

/** A local time differs from UTC by less than this, and so does the end of the gap that skips it. */
const offsetMaxMs = dayMs;

/** A date that occurs at all occurs within 40 years; none in a century means that `gap: skip` drops every one. */
const searchMaxMs = 100 * 366 * dayMs;

export function cronOccurrences(rules: CronRules): Occurrences {
  return {
    first: (from, until) => findFirst(rules, from, Math.min(until, from + searchMaxMs)),
    last: (from, until) => findLast(rules, Math.max(from, until - searchMaxMs), until),
    count: (from, until) => {
      let total = 0;
      for (let at = from, segment; at < until; at = segment.span.until) {
        segment = segmentAt(rules, at);
        total += countIn(segment, at, until);
      }
      return total;
    },
    fillsGap: (instant) => segmentAt(rules, instant).gapEnd === instant,
    gaps: (from, until, limit) => listGaps(rules, [from, until], limit),
  };
}

function listGaps(rules: CronRules, [from, until]: readonly [Instant, Instant], limit: number): ClockGap[] {
  const gaps: ClockGap[] = [];
  for (let at = from; gaps.length < limit;) {
    const local = rules.times.next(at - offsetMaxMs);
    if (local === null) break;
    at = Math.max(at, local - offsetMaxMs);
    if (at >= until) break;
    const span = rules.zone.spanAt(at);
    const gap = span.from >= from ? gapBefore(rules, span) : null;
    if (gap !== null) gaps.push(gap);
    at = span.until;
  }
  return gaps;
}

function findFirst(rules: CronRules, from: Instant, until: Instant): Instant | null {
  for (let at = from; ;) {
    // a rare expression names no local time for years, so the search continues where the next one can be
    const local = rules.times.next(at - offsetMaxMs);
    if (local === null) return null;
    at = Math.max(at, local - offsetMaxMs);
    if (at >= until) return null;
    const segment = segmentAt(rules, at);
    const found = firstIn(segment, at);
    if (found !== null) return found < until ? found : null;
    at = segment.span.until;
  }
}

function findLast(rules: CronRules, from: Instant, until: Instant): Instant | null {
  for (let end = until; ;) {
    const local = rules.times.previous(end + offsetMaxMs);
    if (local === null) return null;
    end = Math.min(end, local + offsetMaxMs);
    if (end <= from) return null;
    const segment = segmentAt(rules, end - 1);
    const found = lastIn(segment, end);
    if (found !== null) return found >= from ? found : null;
    end = segment.span.from;
  }
}
