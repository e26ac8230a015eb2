import type { Instant } from "../../kernel/time/time.ts";
import { idleOf } from "./idle.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";

type GapStore = ScheduleStore["gaps"];

/** Follows what a change makes of a schedule; an instant whose jitter had not passed by then belongs to the gap. */
export function keepGaps(
  gaps: GapStore,
  { row, before, now }: { readonly row: ScheduleRow; readonly before: ScheduleRow | null; readonly now: Instant },
): void {
  const idle = idleOf(row);
  const former = before === null ? null : idleOf(before);
  if (idle?.reason === former?.reason && idle?.until === former?.until) return;
  if (former !== null) gaps.end(row.id, now);
  if (idle === null) return;
  const fromAt = former === null ? Math.min(now, before?.nextAt ?? now) : now;
  gaps.insert({ scheduleId: row.id, fromAt, untilAt: idle.until, reason: idle.reason });
}

/** Until now, this one included, it had other times. */
export function noteChange(gaps: GapStore, row: Pick<ScheduleRow, "id" | "createdAt">, now: Instant): void {
  gaps.noteChange({ scheduleId: row.id, fromAt: row.createdAt, untilAt: now + 1 });
}
