import { dateOf, laterDate, startOfDay } from "../../data/dates.ts";
import { formatDay } from "../../data/words.ts";

export interface Day {
  readonly from: number;
  readonly until: number;
  readonly label: string;
  readonly isPast: boolean;
}

/** Whole days of a zone, from the Monday of this week on. A day in which clocks change is shorter or longer. */
export function daysFrom(now: number, zone: string, count: number): readonly Day[] {
  const today = dateOf(now, zone);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const monday = laterDate(today, -((weekday + 6) % 7));
  return Array.from({ length: count }, (_, index) => {
    const date = laterDate(monday, index);
    const from = startOfDay(date, zone)!;
    const until = startOfDay(laterDate(date, 1), zone)!;
    return { from, until, label: formatDay(from, zone).replace(/^\w+,? /, ""), isPast: until <= now };
  });
}

/** Times that were counted together. */
export interface Counted {
  readonly from: number;
  readonly until: number;
  readonly count: number;
}

/** How many of the counted times are in a day. Where a part reaches beyond the day, the day gets its share of it. */
export function countIn(
  day: Pick<Day, "from" | "until">,
  parts: readonly Counted[],
): Pick<Counted, "count"> & { readonly isExact: boolean } {
  let sum = 0;
  let isExact = true;
  for (const { from, until, count } of parts) {
    const shared = Math.min(until, day.until) - Math.max(from, day.from);
    if (shared <= 0) continue;
    sum += (count * shared) / (until - from);
    if (shared < until - from) isExact = false;
  }
  return { count: Math.round(sum), isExact };
}
