import { describeError, isStorageFailure } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { createWake } from "../../../kernel/time/wake.ts";
import type { Write } from "../../../kernel/storage/write.ts";
import type { ScheduleFact } from "../facts.ts";
import { isDue, isMoved, replan, type ReplanDeps } from "./replan.ts";
import type { ScheduleRow } from "../table.ts";

export interface PlanCheckParts extends ReplanDeps {
  readonly log: Log;
  readonly write: Write<ScheduleFact>;
}

/** Schedules looked at in one turn: a few milliseconds. */
const sliceSize = 25;

/**
 * Once after a start: plans were stored under the rules of zones, and under the daemon's own zone, of that time. Where
 * these are others now, the plan is made anew; what is due already is the ticker's. A schedule that cannot be planned
 * keeps its plan, and holds up no other.
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
      replanAll(rows.filter(isToPlan));
    } catch (error) {
      // no schedule's own fault: the next slice would fail as well
      return log.error("plan_check.failed", { error: describeError(error) });
    }
    wake.wake();
  }

  function isToPlan(row: ScheduleRow): boolean {
    try {
      return isMoved(parts, row);
    } catch (error) {
      passOver(row, error);
      return false;
    }
  }

  /** In one write; where that fails, each by itself. */
  function replanAll(rows: readonly ScheduleRow[]): void {
    if (rows.length === 0) return;
    try {
      const count = write((unit) => {
        const ahead = rows.filter((row) => !isDue(row, unit.now));
        for (const row of ahead) replan(unit, parts, row);
        return ahead.length;
      });
      log.info("schedules.replanned", { schedules: count });
    } catch (error) {
      if (rows.length > 1 && !isStorageFailure(error)) return rows.forEach((row) => replanAll([row]));
      passOver(rows[0]!, error);
    }
  }

  function passOver(row: ScheduleRow, error: unknown): void {
    if (isStorageFailure(error)) throw error;
    log.error("plan_check.failed", { schedule_id: row.id, error: describeError(error) });
  }

  return { start: wake.wake, stop: wake.stop };
}
