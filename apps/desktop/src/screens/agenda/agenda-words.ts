import { parseDuration } from "@belfry/contract";
import { count, formatClock, formatDay } from "../../data/words.ts";
import type { Entry, Gap } from "./days.ts";

const singular: Readonly<Record<string, string>> = { "1s": "second", "1m": "minute", "1h": "hour", "1d": "day" };

/** `every minute, 1,440 times, the last at 23:59`; empty for a single time. The name may say the rhythm already. */
export function seriesText({ count: times, every, last_at, at, schedule_name: name }: Entry, zone: string): string {
  if (times === 1) return "";
  const last = Date.parse(last_at);
  const isSameDay = formatDay(last, zone) === formatDay(Date.parse(at), zone);
  const end = `the last at ${isSameDay ? "" : `${formatDay(last, zone)} `}${formatClock(last, zone)}`;
  const rhythm = every === null || name === `every ${every}` ? "" : `every ${singular[every] ?? every}, `;
  return `${rhythm}${count(times, "time")}, ${end}`;
}

/** How a clock change of the schedule's zone affects this time; empty if it does not. */
export function changeText({ dst_note: note, dst_shift: shift }: Entry, gap: Gap | undefined): string {
  if (note === null || shift === null) return "";
  if (note === "gap")
    return `instead of ${gap === undefined ? "skipped times" : timesText(gap)}: the clocks go forward ${shiftText(shift)}`;
  return `the ${note === "overlap_first" ? "first" : "second"} of two: the clocks go back ${shiftText(shift)}`;
}

/** Local times that the clocks skip, and that do not run. */
export function gapText(gap: Gap): string {
  const verb = gap.local_times_count === 1 ? "does" : "do";
  return `${timesText(gap)} ${verb} not run: the clocks in ${gap.time_zone} go forward ${shiftText(gap.length)}`;
}

const listedMax = 4;

function timesText({ local_times: locals, local_times_count: times }: Gap): string {
  const clocks = locals.map((local) => local.slice(11).replace(/^(\d\d:\d\d):00$/, "$1"));
  if (times <= listedMax) return clocks.join(", ");
  return times === clocks.length
    ? `${clocks[0]} to ${clocks.at(-1)} (${count(times, "time")})`
    : `${count(times, "time")} from ${clocks[0]}`;
}

function shiftText(duration: string): string {
  const seconds = Math.round((parseDuration(duration) ?? 0) / 1_000);
  const named = (
    [
      [Math.floor(seconds / 3_600), "hour"],
      [Math.floor(seconds / 60) % 60, "minute"],
      [seconds % 60, "second"],
    ] as const
  ).flatMap(([number, unit]) => (number === 0 ? [] : [count(number, unit)]));
  return named.join(" ");
}
