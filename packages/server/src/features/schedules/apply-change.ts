import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { ScheduleFact } from "./facts.ts";
import { keepGaps, noteChange } from "./idle-periods.ts";
import { idleOf } from "./idle.ts";
import { refuseNeverRuns } from "./never-runs.ts";
import type { Planner } from "./ticking/plan.ts";
import type { ScheduleStore } from "./store.ts";
import { scheduleMembers, type ScheduleRow } from "./table.ts";
import type { Timings } from "./timing-cache.ts";

export interface ApplyDeps {
  readonly store: ScheduleStore;
  readonly planner: Planner;
  readonly timings: Timings;
}

/** Members whose change makes other instants. */
const retiming: ReadonlySet<string> = new Set(
  "expression every at time_zone dst_gap dst_overlap starts_at ends_at".split(" "),
);

/**
 * A change counts from the first instant that is not answered for yet: what a person disables, pauses or moves is not due
 * any more, and what begins anew has no past. The gaps keep both for `why`. What changes nothing leaves no trace.
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
    const written = { ...row, ...change };
    const isRetimed = changed.some((member) => retiming.has(member));
    if (isRetimed) refuseNeverRuns(written, timings.check(written, planner.zoneOf(written)), unit.now);
    const isResumed = idleOf(row) !== null && idleOf(written) === null;
    // what lies behind is decided already: it has a row, was not due, or is none of the new times
    const cursorAt = isRetimed || isResumed ? Math.max(row.cursorAt, unit.now) : row.cursorAt;
    // all columns: the row may still hold a pause that has ended
    const { id: _id, ...columns } = { ...written, cursorAt };
    const plan = planner.plan({ ...written, cursorAt });
    const next = reviseNamed(unit, row, { change: { ...columns, ...plan }, changed });
    keepGaps(store.gaps, { row: next, before: row, now: unit.now });
    if (isRetimed) noteChange(store.gaps, row, unit.now);
    return next;
  };
}
