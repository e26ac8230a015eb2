import type { Occurrence } from "@belfry/contract";
import { formatInstant, type Instant } from "../../kernel/time.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/next-occurrence.ts";
import { dueOf } from "./timings.ts";

/** The next instants of one schedule, as people of its zone see them. */
export function listOccurrences(
  row: ScheduleRow,
  timing: CompiledTiming,
  of: { readonly from: Instant; readonly count: number },
): Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (let at = timing.next(of.from); at !== null && occurrences.length < of.count; at = timing.next(at)) {
    const { local, offset, note } = timing.describe(at);
    occurrences.push({
      instant: formatInstant(at),
      due_at: formatInstant(dueOf(row, at)),
      local,
      offset,
      dst_note: note,
    });
  }
  return occurrences;
}
