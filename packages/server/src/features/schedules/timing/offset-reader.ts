import type { Instant } from "../../../kernel/time/time.ts";
import { dayMs, weekdayOfDay } from "./civil-date.ts";

/** How far a zone's clocks are ahead of UTC, in milliseconds, at a whole second. */
export type OffsetAt = (instant: Instant) => number;

const weekdays = "SunMonTueWedThuFriSat";

/** Reads offsets with `Intl`, whose `format` takes a microsecond. A Temporal object takes several times as long. */
export function openOffsets(zoneName: string): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zoneName,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (instant) => {
    const shown = format.format(instant);
    // "Sun 03:00:59", read from its end because a later Node may write a comma
    const time = Number(shown.slice(-8, -6)) * 3600 + Number(shown.slice(-5, -3)) * 60 + Number(shown.slice(-2));
    const day = Math.floor(instant / dayMs);
    // the local day is that of UTC, the next one, or (six weekdays ahead) the one before
    const weekdaysAhead = (weekdays.indexOf(shown.slice(0, 3)) / 3 - weekdayOfDay(day) + 7) % 7;
    return time * 1000 - (instant - day * dayMs) + (weekdaysAhead === 6 ? -1 : weekdaysAhead) * dayMs;
  };
}

const secondMs = 1000;
const quarterMs = 900 * secondMs;

/** A range of whole UTC days over which the offset changes once. */
export interface MovedOnce {
  readonly from: Instant;
  readonly until: Instant;
  /** The offset at `from`. */
  readonly before: number;
  /** The time of day of another change in the zone, which is most often the same. */
  readonly likelyTime: number;
}

/** Finds the first instant in (from, until] at which clocks no longer show the offset `before`. */
export function findChange(offsetAt: OffsetAt, { from, until, before, likelyTime }: MovedOnce): Instant {
  /** Narrows the search to the last instant before the change and the first one after it, a step apart. */
  const narrow = ([low, high]: readonly [Instant, Instant], first: Instant, step: number): [Instant, Instant] => {
    let [below, above] = [0, Math.ceil((high - first) / step)];
    while (below < above) {
      const middle = (below + above) >> 1;
      if (offsetAt(first + middle * step) === before) below = middle + 1;
      else above = middle;
    }
    return [Math.max(low, first + (below - 1) * step), Math.min(high, first + below * step)];
  };
  const isAt = (instant: Instant): boolean => offsetAt(instant - secondMs) === before;
  const near = narrow([from, until], from + likelyTime, dayMs);
  if (isAt(near[1])) return near[1];
  // otherwise the change is on a quarter hour, except where clocks showed local mean time
  const nearer = narrow(near, Math.floor(near[0] / quarterMs) * quarterMs, quarterMs);
  return isAt(nearer[1]) ? nearer[1] : narrow(nearer, nearer[0], secondMs)[1];
}
