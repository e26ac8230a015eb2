import { formatDay, offsetMinutes } from "../../data/words.ts";

export interface Day {
  readonly from: number;
  readonly until: number;
  readonly label: string;
  readonly isPast: boolean;
}

const dayMs = 86_400_000;

/** Whole days of a zone, from the Monday of this week on. A day in which clocks change is shorter or longer. */
export function daysFrom(now: number, zone: string, count: number): readonly Day[] {
  const today = Math.floor((now + offsetMinutes(now, zone) * 60_000) / dayMs);
  // 1 January 1970 was a Thursday
  const monday = today - ((today + 3) % 7);
  return Array.from({ length: count }, (_, index) => {
    const from = startOf(monday + index, zone);
    const until = startOf(monday + index + 1, zone);
    return { from, until, label: formatDay(from, zone).replace(/^\w+,? /, ""), isPast: until <= now };
  });
}

/** The instant at which a day of the wall clock begins. */
function startOf(day: number, zone: string): number {
  const wall = day * dayMs;
  const guess = wall - offsetMinutes(wall, zone) * 60_000;
  return wall - offsetMinutes(guess, zone) * 60_000;
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
