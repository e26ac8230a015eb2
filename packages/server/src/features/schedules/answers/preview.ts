import type { Occurrence, Preview } from "@belfry/contract";
import { formatInstant, type Instant, lastInstant } from "../../../kernel/time/time.ts";
import { viewClockChange, viewClockGap } from "./clock-change-view.ts";
import { createDueOrder } from "../ticking/due-order.ts";
import { cursorOf, idleOf, openEnd } from "../idle.ts";
import type { ScheduleRow } from "../table.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";

export interface PreviewRange {
  readonly from: Instant;
  readonly count: number;
  readonly now: Instant;
}

/**
 * Lists the next instants of one schedule in local time, and the local times that clocks skip up to the last of them.
 */
export function previewSchedule(
  row: ScheduleRow,
  timing: CompiledTiming,
  range: PreviewRange,
): Pick<Preview, "occurrences" | "dst_gaps"> {
  const { from, count } = range;
  const dueOf = createDueOrder(row, timing, decidedUntil(row, range));
  const occurrences: Occurrence[] = [];
  let last = from;
  for (let at = timing.next(from); at !== null && occurrences.length < count; at = timing.next(at)) {
    const { local, offset, change } = timing.describe(at);
    const due_at = formatInstant(dueOf(at));
    occurrences.push({ instant: formatInstant(at), due_at, local, offset, ...viewClockChange(change) });
    last = at;
  }
  // if the schedule ends before the count is reached, clocks may still skip its last times
  const until = occurrences.length < count ? lastInstant : last;
  return { occurrences, dst_gaps: timing.gaps(from, until, count).map(viewClockGap) };
}

/** Returns the time up to which instants do not delay later ones: they are decided or not due. */
function decidedUntil(row: ScheduleRow, { from, now }: PreviewRange): Instant {
  const cursor = idleOf(row)?.until === openEnd ? Math.max(row.cursorAt, now) : cursorOf(row);
  return from >= cursor ? cursor : Math.min(from, row.createdAt);
}
