import { AppError } from "../../kernel/errors/errors.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { ScheduleFact } from "./facts.ts";
import { recordIdlePeriods, recordChange } from "./idle-periods.ts";
import { idleOf } from "./idle.ts";
import { refuseNeverRuns } from "./never-runs.ts";
import type { Planner } from "./ticking/plan.ts";
import type { ScheduleStore } from "./store.ts";
import { scheduleMembers, type ScheduleRow } from "./table.ts";
import type { Timings } from "./timing-cache.ts";
import { tryToPlan } from "./unplannable.ts";

export interface ApplyDeps {
  readonly store: ScheduleStore;
  readonly planner: Planner;
  readonly timings: Timings;
}

/** Members whose change moves the scheduled times. */
const retiming: ReadonlySet<string> = new Set(
  "expression every at time_zone dst_gap dst_overlap starts_at ends_at".split(" "),
);

/**
 * Applies a change from the first undecided instant on. Instants that are disabled, paused or removed are no longer
 * due. A schedule that resumes or gets new times does not catch up. The idle periods record both for `why`. A patch
 * that changes nothing writes nothing.
 */
export function createApplyChange({ store, planner, timings }: ApplyDeps) {
  const { changesOf, reviseNamed } = createRevise<ScheduleRow, ScheduleFact>({
    members: scheduleMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: scheduleId }, changed) => ({ name: "schedule.updated", scheduleId, changed }),
  });
  return (unit: Unit<ScheduleFact>, row: ScheduleRow, change: Partial<ScheduleRow>): ScheduleRow => {
    const changed = changesOf(row, change).filter((member) => member !== "anchor_at");
    if (changed.length === 0) return row;
    const draft = { ...row, ...change };
    const isRetimed = changed.some((member) => retiming.has(member));
    if (isRetimed) refuseNeverRuns(draft, (each) => timings.check(each, planner.zoneOf(each)), unit.now);
    const isSpreadAnew = isRetimed || changed.includes("spread");
    const written = isSpreadAnew ? { ...draft, spreadMs: planner.spreadMsOf(draft, unit.now) } : draft;
    const isResumed = idleOf(row) !== null && idleOf(written) === null;
    // past instants are decided: each has a row, was not due, or is not one of the new times
    const cursorAt = isRetimed || isResumed ? Math.max(row.cursorAt, unit.now) : row.cursorAt;
    // all columns, because the row may still have a pause that has ended
    const { id: _id, ...columns } = { ...written, cursorAt };
    const planned = tryToPlan(() => planner.plan({ ...written, cursorAt }));
    if ("fault" in planned && (isRetimed || isResumed || row.nextAt === null))
      throw new AppError("validation_failed", `the schedule cannot be planned: ${planned.fault}`);
    // a name, for example, can be changed although the schedule cannot be planned, which then keeps its plan
    const plan = "fault" in planned ? {} : planned.value;
    const next = reviseNamed(unit, row, { change: { ...columns, ...plan }, changed });
    recordIdlePeriods(store.idlePeriods, { row: next, before: row, now: unit.now });
    if (isRetimed) recordChange(store.idlePeriods, row, unit.now);
    return next;
  };
}
