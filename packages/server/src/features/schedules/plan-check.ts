import { describeError, isStorageFailure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { createWake } from "../../kernel/wake.ts";
import type { Write } from "../../kernel/write.ts";
import type { ScheduleFact } from "./facts.ts";
import { isMoved, replan, type ReplanDeps } from "./replan.ts";
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
export function createPlanCheck(parts: PlanCheckParts) {
  const { store, write, log } = parts;
  const wake = createWake(checkSlice);
  let after = "";

  function checkSlice(): void {
    try {
      const rows = store.listPlannedCron(after, sliceSize);
      if (rows.length === 0) return;
      after = rows.at(-1)!.id;
      replanAll(rows.filter((row) => isMoved(parts, row)));
    } catch (error) {
      log.error("plan_check.failed", { error: describeError(error) });
      if (isStorageFailure(error)) return;
    }
    wake.wake();
  }

  function replanAll(rows: readonly ScheduleRow[]): void {
    if (rows.length === 0) return;
    const count = write((unit) => {
      const ahead = rows.filter((row) => row.dueAt !== null && row.dueAt > unit.now);
      for (const row of ahead) replan(unit, parts, row);
      return ahead.length;
    });
    log.info("schedules.replanned", { schedules: count });
  }

  return { start: wake.wake, stop: wake.stop };
}
