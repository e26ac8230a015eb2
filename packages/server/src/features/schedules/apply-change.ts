import { changedMembers } from "../../kernel/storage/change.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { ScheduleFact } from "./facts.ts";
import { keepGaps, noteChange } from "./idle-periods.ts";
import { idleOf } from "./idle.ts";
import { refuseNeverRuns } from "./never-runs.ts";
import type { Planner } from "./ticking/plan.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";
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
  return (unit: Unit<ScheduleFact>, row: ScheduleRow, change: Partial<ScheduleRow>): ScheduleRow => {
    const changed = changedMembers(row, change).filter((member) => member !== "anchor_at");
    if (changed.length === 0) return row;
    const written = { ...row, ...change };
    const isRetimed = changed.some((member) => retiming.has(member));
    if (isRetimed) refuseNeverRuns(written, timings.check(written, planner.zoneOf(written)), unit.now);
    const isResumed = idleOf(row) !== null && idleOf(written) === null;
    const next = {
      ...written,
      // what lies behind has been answered for, was not due, or is none of the new times
      cursorAt: isRetimed || isResumed ? Math.max(row.cursorAt, unit.now) : row.cursorAt,
      updatedAt: unit.now,
      revision: row.revision + 1,
    };
    const { id, ...columns } = { ...next, ...planner.plan(next) };
    store.update(id, columns);
    keepGaps(store.gaps, { row: next, before: row, now: unit.now });
    if (isRetimed) noteChange(store.gaps, row, unit.now);
    unit.record({ name: "schedule.updated", scheduleId: id, changed });
    return { ...columns, id };
  };
}
