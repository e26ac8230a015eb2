import type { Instant } from "../../../kernel/time.ts";
import { dayMs, firstDayOfMonth, monthOfDay } from "./civil-date.ts";

/** How far a zone's clocks are ahead of UTC, in milliseconds, at a whole second. */
export type OffsetAt = (instant: Instant) => number;

/** Asks `Intl`, whose `format` costs a microsecond: a Temporal object that says the same costs several times that. */
export function openOffsets(zoneName: string): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zoneName,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (instant) => {
    const [dayOfMonth, hour, minute, second] = format.format(instant).match(/\d+/g) ?? [];
    const day = Math.floor(instant / dayMs);
    const time = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000;
    return time - (instant - day * dayMs) + daysAhead(day, Number(dayOfMonth)) * dayMs;
  };
}

/** The date that clocks show is that of UTC, or the one beside it. */
function daysAhead(day: number, shownDayOfMonth: number): number {
  if (shownDayOfMonth === dayOfMonthOf(day)) return 0;
  return shownDayOfMonth === dayOfMonthOf(day + 1) ? 1 : -1;
}

function dayOfMonthOf(day: number): number {
  return day - firstDayOfMonth(monthOfDay(day)) + 1;
}

const secondMs = 1000;
const quarterMs = 900 * secondMs;

interface Range {
  readonly from: Instant;
  readonly until: Instant;
}

/** The first instant of (from, until] at which clocks show another offset than at `from`, where they are moved once. */
export function findChange(offsetAt: OffsetAt, { from, until }: Range): Instant {
  const before = offsetAt(from);
  const bisect = (low: Instant, high: Instant, step: number): Instant => {
    if (high - low <= step) return high;
    const middle = low + Math.floor((high - low) / (2 * step)) * step;
    return offsetAt(middle) === before ? bisect(middle, high, step) : bisect(low, middle, step);
  };
  const change = bisect(from, until, quarterMs);
  // clocks are moved on the quarter hour, but for those that showed local mean time
  return offsetAt(change - secondMs) === before ? change : bisect(change - quarterMs, change, secondMs);
}
