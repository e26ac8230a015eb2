import type { Agenda, Preview } from "@belfry/client";
import { parseDuration } from "@belfry/contract";

type Occurrence = Pick<Preview["occurrences"][number] | Agenda["entries"][number], "dst_note" | "dst_shift">;
export type Gap = Preview["dst_gaps"][number] | Agenda["dst_gaps"][number];

/** How a clock change affects a scheduled time; `gap` is the gap before it, if it is known. */
export function noteOfTime({ dst_note, dst_shift }: Occurrence, gap: Gap | undefined): string {
  if (dst_note === null || dst_shift === null) return "";
  const shift = describeShift(dst_shift);
  if (dst_note === "gap")
    return `instead of ${gap === undefined ? "skipped times" : describeTimes(gap)}: the clocks go forward ${shift}`;
  return `the ${dst_note === "overlap_first" ? "first" : "second"} of two: the clocks go back ${shift}`;
}

/** Skipped local times that do not run. */
export function noteOfGap(gap: Gap): string {
  const verb = gap.local_times_count === 1 ? "does" : "do";
  return `${describeTimes(gap)} ${verb} not run: the clocks go forward ${describeShift(gap.length)}`;
}

const listedMax = 4;

/** `02:30`, `02:00, 02:20`, `02:00 to 02:59 (60 times)`, `3600 times from 02:00`. */
function describeTimes({ local_times: locals, local_times_count: count }: Gap): string {
  const times = locals.map((local) => local.slice(11).replace(/^(\d\d:\d\d):00$/, "$1"));
  if (count <= listedMax) return times.join(", ");
  return count === times.length ? `${times[0]} to ${times.at(-1)} (${count} times)` : `${count} times from ${times[0]}`;
}

/** `1 hour`, `30 minutes`, `24 hours`, `2 hours 20 minutes`. */
function describeShift(duration: string): string {
  const seconds = (parseDuration(duration) ?? 0) / 1_000;
  const parts = [
    [Math.floor(seconds / 3_600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ] as const;
  const named = parts.flatMap(([number, unit]) =>
    number === 0 ? [] : [`${number} ${unit}${number === 1 ? "" : "s"}`],
  );
  return named.join(" ");
}
