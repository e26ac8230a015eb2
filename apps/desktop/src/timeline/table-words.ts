import { runKind } from "../data/run-words.ts";
import { count, formatClock, formatDay, formatTime } from "../data/words.ts";
import type { TimelineBucket, TimelineRow, TimelineRun } from "./rows.ts";

/** So many runs, coming times and failures of a row are named. */
export const runsMax = 20;
export const timesMax = 6;
export const failuresMax = 5;

/** Whether a run is named beside those that are only counted. */
export function isNamed({ ended_at, coalesced_from }: TimelineRun): boolean {
  return ended_at === null || coalesced_from !== null;
}

/** The coming times of a row; null if there are none. */
export function futureText(future: TimelineRow["future"], zone: string): string | null {
  if (future.kind === "buckets") {
    const times = future.buckets.reduce((sum, { count: number }) => sum + number, 0);
    return times === 0
      ? null
      : `${count(times, "time")}, the first after ${formatTime(Date.parse(future.buckets[0]!.from), zone)}`;
  }
  const [first, ...rest] = future.times.map(({ at }) => Date.parse(at));
  if (first === undefined) return null;
  let day = formatDay(first, zone);
  const others = rest.slice(0, timesMax - 1).map((at) => {
    const isSameDay = formatDay(at, zone) === day;
    day = formatDay(at, zone);
    return isSameDay ? formatClock(at, zone) : `${day}, ${formatClock(at, zone)}`;
  });
  const more = rest.length - others.length;
  return [formatTime(first, zone), ...others, ...(more === 0 ? [] : [`and ${more} more`])].join("; ");
}

/** The runs that are only counted, and when some of them failed. */
export function bucketsText(buckets: readonly TimelineBucket[], zone: string): string {
  const runs = buckets.reduce((sum, { count: number }) => sum + number, 0);
  const failed = buckets.filter(({ worst }) => runKind(worst) === "failure");
  if (failed.length === 0) return `${count(runs, "run")}, none failed`;
  const after = failed.slice(-failuresMax).map(({ from }) => `after ${formatTime(Date.parse(from), zone)}`);
  return `${count(runs, "run")}, with failures ${after.join(", ")}`;
}
