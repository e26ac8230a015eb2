import { dayMs } from "./civil-date.ts";
import type { CronTimes } from "./cron.ts";
import { matchingDays } from "./matching-days.ts";
import { timesOfDay } from "./times-of-day.ts";

/** The local times that an expression names, in milliseconds as if they were UTC. They depend on no zone. */
export interface LocalTimes {
  /** Finds the first time at or after `local`. */
  readonly next: (local: number) => number | null;
  /** Finds the last time before `local`. */
  readonly previous: (local: number) => number | null;
  /** Counts the times in [from, until). */
  readonly count: (from: number, until: number) => number;
}

export function localTimes(times: CronTimes): LocalTimes {
  const clock = timesOfDay(times);
  const calendar = matchingDays(times);
  const join = (day: number | null, rank: number): number | null =>
    day === null ? null : day * dayMs + clock.at(rank) * 1000;
  return {
    next: (local) => {
      const [day, second] = split(local);
      const rank = clock.rank(second);
      return rank < clock.size && calendar.has(day) ? join(day, rank) : join(calendar.next(day + 1), 0);
    },
    previous: (local) => {
      const [day, second] = split(local);
      const rank = clock.rank(second) - 1;
      return rank >= 0 && calendar.has(day) ? join(day, rank) : join(calendar.previous(day), clock.size - 1);
    },
    count: (from, until) => {
      if (until <= from) return 0;
      const [firstDay, firstSecond] = split(from);
      const [lastDay, lastSecond] = split(until);
      const before = calendar.has(firstDay) ? clock.rank(firstSecond) : 0;
      const after = calendar.has(lastDay) ? clock.rank(lastSecond) : 0;
      return calendar.count(firstDay, lastDay) * clock.size - before + after;
    },
  };
}

/** Splits a local time into day and second. All times are whole seconds, so a fraction is rounded up. */
function split(local: number): [day: number, second: number] {
  const day = Math.floor(local / dayMs);
  return [day, Math.ceil((local - day * dayMs) / 1000)];
}
