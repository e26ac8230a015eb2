import type { CronTimes } from "./cron.ts";

/** The times of one day in order, as seconds since midnight, without a list of up to 86,400. */
export interface TimesOfDay {
  readonly size: number;
  /** Returns the time with `rank` other times before it. */
  readonly at: (rank: number) => number;
  /** Counts the times before `second`, which may be the end of the day. */
  readonly rank: (second: number) => number;
}

export function timesOfDay({ hours, minutes, seconds }: CronTimes): TimesOfDay {
  const [hour, minute, second] = [ranksOf(hours, 24), ranksOf(minutes, 60), ranksOf(seconds, 60)];
  const perMinute = seconds.length;
  const perHour = minutes.length * perMinute;
  return {
    size: hours.length * perHour,
    at: (rank) => {
      const inHour = rank % perHour;
      const [h, m, s] = [Math.floor(rank / perHour), Math.floor(inHour / perMinute), inHour % perMinute];
      return hours[h]! * 3600 + minutes[m]! * 60 + seconds[s]!;
    },
    rank: (time) => {
      const [h, m, s] = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60];
      const beforeHour = hour.before[h]! * perHour;
      if (!hour.has[h]) return beforeHour;
      const beforeMinute = beforeHour + minute.before[m]! * perMinute;
      return minute.has[m] ? beforeMinute + second.before[s]! : beforeMinute;
    },
  };
}

/** Returns for each value of a field whether it is named, and how many named values are below it. */
function ranksOf(values: readonly number[], size: number): { has: boolean[]; before: number[] } {
  const all = Array.from({ length: size + 1 }, (_, value) => value);
  return {
    has: all.map((value) => values.includes(value)),
    before: all.map((value) => values.filter((named) => named < value).length),
  };
}
