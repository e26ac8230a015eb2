import { describeError, isStorageFailure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { createWake } from "../../kernel/wake.ts";
import type { Write } from "../../kernel/write.ts";
import type { ScheduleFact } from "./facts.ts";
import { replan, type ReplanDeps } from "./replan.ts";
import type { ScheduleRow } from "./table.ts";

export interface PlanCheckParts extends ReplanDeps {
  readonly log: Log;
  readonly write: Write<ScheduleFact>;
}

/** Schedules looked at in one turn: a few milliseconds. */
const sliceSize = 25;

/**
 * Once after a start: plans were stored under the rules of zones, and under the daemon's own zone, of that time. Where
 * these are others now, the plan is made anew; what is due already is the ticker's.
 */
export function createPlanCheck({ store, planner, write, log }: PlanCheckParts) {
  const wake = createWake(checkSlice);
  let after = "";

  function checkSlice(): void {
    const rows = store.listPlannedCron(after, sliceSize);
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    try {
      replanMoved(rows.filter((row) => planner.plan(row).nextAt !== row.nextAt));
    } catch (error) {
      log.error("plan_check.failed", { error: describeError(error) });
      if (isStorageFailure(error)) return;
    }
    wake.wake();
  }

  function replanMoved(rows: readonly ScheduleRow[]): void {
    if (rows.length === 0) return;
    write((unit) => {
      for (const row of rows) if (row.dueAt !== null && row.dueAt > unit.now) replan(unit, { store, planner }, row);
    });
    log.info("schedules.replanned", { schedules: rows.length });
  }

  return { start: wake.wake, stop: wake.stop };
}
