import type { Instant } from "../../../kernel/time/time.ts";
import type { Unit } from "../../../kernel/storage/write.ts";
import type { ScheduleFact } from "../facts.ts";
import { recordChange } from "../idle-periods.ts";
import type { Planner } from "./plan.ts";
import type { ScheduleStore } from "../store.ts";
import type { ScheduleRow } from "../table.ts";
import { dueOf } from "../timing-cache.ts";

export interface ReplanDeps {
  readonly store: ScheduleStore;
  readonly planner: Planner;
}

export function isMoved({ planner }: Pick<ReplanDeps, "planner">, row: ScheduleRow): boolean {
  return planner.plan(row).nextAt !== row.nextAt;
}

/**
 * Whether the next instant of a schedule is due. An instant is still due if it was postponed because recording it
 * failed.
 */
export function isDue(row: ScheduleRow, now: Instant): boolean {
  return row.nextAt !== null && dueOf(row, row.nextAt) <= now;
}

/** Plans future instants again after a change of the time zone or its rules. Past instants stay decided. */
export function replan(unit: Unit<ScheduleFact>, { store, planner }: ReplanDeps, row: ScheduleRow): void {
  const cursorAt = Math.max(row.cursorAt, unit.now);
  store.update(row.id, { cursorAt, ...planner.plan({ ...row, cursorAt }) });
  recordChange(store.idlePeriods, row, unit.now);
  unit.record({ name: "schedule.planned", scheduleId: row.id });
}
