import { firstDayOfMonth, monthOfDay, weekdayOfDay } from "./civil-date.ts";
import type { CronTimes } from "./cron.ts";

/** The days that an expression names, as numbers since 1970-01-01. */
export interface MatchingDays {
  readonly has: (day: number) => boolean;
  /** Finds the first day at or after `day`. */
  readonly next: (day: number) => number | null;
  /** Finds the last day before `day`. */
  readonly previous: (day: number) => number | null;
  /** Counts the days in [from, until). */
  readonly count: (from: number, until: number) => number;
}

/** The calendar repeats after 400 years: a day that is not found within them never occurs. */
const monthsMax = 400 * 12;

export function matchingDays({ months, days }: CronTimes): MatchingDays {
  /** The matching days of a month as bits, bit 0 for the day `first`. */
  const bitsOf = (month: number, first: number): number => {
    if (!months.has(((month % 12) + 12) % 12)) return 0;
    return days[firstDayOfMonth(month + 1) - first - 28]![weekdayOfDay(first)]!;
  };
  const countBefore = (day: number, month: number): number => {
    const first = firstDayOfMonth(month);
    return countOnes(bitsOf(month, first) & lowBits(day - first));
  };
  return {
    has: (day) => {
      const month = monthOfDay(day);
      const first = firstDayOfMonth(month);
      return ((bitsOf(month, first) >>> (day - first)) & 1) === 1;
    },
    next: (day) => {
      const start = monthOfDay(day);
      for (let month = start; month <= start + monthsMax; month += 1) {
        const first = firstDayOfMonth(month);
        const bits = bitsOf(month, first) & ~lowBits(day - first);
        if (bits !== 0) return first + 31 - Math.clz32(bits & -bits);
      }
      return null;
    },
    previous: (day) => {
      const start = monthOfDay(day);
      for (let month = start; month >= start - monthsMax; month -= 1) {
        const first = firstDayOfMonth(month);
        const bits = bitsOf(month, first) & lowBits(day - first);
        if (bits !== 0) return first + 31 - Math.clz32(bits);
      }
      return null;
    },
    count: (from, until) => {
      const last = monthOfDay(until);
      let total = countBefore(until, last) - countBefore(from, monthOfDay(from));
      for (let month = monthOfDay(from); month < last; month += 1)
        total += countOnes(bitsOf(month, firstDayOfMonth(month)));
      return total;
    },
  };
}

/** Makes a mask of the lowest `count` bits. A count outside 0..31 means none or all of them. */
function lowBits(count: number): number {
  return count >= 31 ? 0x7fff_ffff : count <= 0 ? 0 : (1 << count) - 1;
}

function countOnes(bits: number): number {
  let rest = bits;
  let ones = 0;
  for (; rest !== 0; rest &= rest - 1) ones += 1;
  return ones;
}
