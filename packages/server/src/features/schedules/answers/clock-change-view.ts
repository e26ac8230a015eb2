import { formatDuration, type DstGap, type Occurrence } from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../../kernel/time/time.ts";
import type { ClockChange, ClockGap } from "../timing/compile-timing.ts";

export function viewClockChange(change: ClockChange | null): Pick<Occurrence, "dst_note" | "dst_shift"> {
  return change === null
    ? { dst_note: null, dst_shift: null }
    : { dst_note: change.note, dst_shift: formatDuration(change.shiftMs) };
}

export function viewClockGap(gap: ClockGap): DstGap {
  return {
    at: formatInstant(gap.at),
    length: formatDuration(gap.lengthMs),
    local_times: [...gap.locals],
    local_times_count: gap.localCount,
    runs_at: formatInstantOrNull(gap.runsAt),
  };
}
