import type { Instant } from "../../kernel/time/time.ts";
import type { IdlePeriodStore } from "./store.ts";
import { idleOf } from "./idle.ts";
import type { ScheduleRow } from "./table.ts";

/** Records the idle period that a change begins or ends. An instant whose jitter had not passed yet belongs to the period. */
export function recordIdlePeriods(
  periods: IdlePeriodStore,
  { row, before, now }: { readonly row: ScheduleRow; readonly before: ScheduleRow | null; readonly now: Instant },
): void {
  const idle = idleOf(row);
  const former = before === null ? null : idleOf(before);
  if (idle?.reason === former?.reason && idle?.until === former?.until) return;
  if (former !== null) periods.end(row.id, now);
  if (idle === null) return;
  const fromAt = former === null ? Math.min(now, before?.nextAt ?? now) : now;
  periods.insert({ scheduleId: row.id, fromAt, untilAt: idle.until, reason: idle.reason });
}

/** Records that the schedule had other times up to now, inclusive. */
export function recordChange(periods: IdlePeriodStore, row: Pick<ScheduleRow, "id" | "createdAt">, now: Instant): void {
  periods.recordChange({ scheduleId: row.id, fromAt: row.createdAt, untilAt: now + 1 });
}
