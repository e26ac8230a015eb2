import { describeError, isStorageFailure } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import type { Clock } from "../../../kernel/time/clock.ts";
import { createLoop, type Loop, type Next } from "../../../kernel/time/loop.ts";
import type { Write } from "../../../kernel/storage/write.ts";
import type { ScheduleFact } from "../facts.ts";
import { isDue, isMoved, replan, type ReplanDeps } from "./replan.ts";
import type { ScheduleRow } from "../table.ts";

export interface PlanCheckParts extends ReplanDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<ScheduleFact>;
}

/** The number of schedules to check in one round, which takes a few milliseconds. */
const sliceSize = 25;

/**
 * Checks all stored plans once after a start. A plan was made with the zone rules and the daemon's zone of its time. If
 * these have changed, the schedule is planned again. Schedules that are already due are left to the ticker. A schedule
 * that cannot be planned keeps its plan, and does not stop the check.
 */
export function createPlanCheck(parts: PlanCheckParts): Loop {
  const { clock, store, write, log } = parts;
  let after = "";

  return createLoop({
    clock,
    round: checkSlice,
    onFailure: (error) => {
      // not one schedule's fault: the next slice would fail too
      log.error("plan_check.failed", { error: describeError(error) });
      return null;
    },
  });

  function checkSlice(): Next {
    const rows = store.listPlannedCron(after, sliceSize);
    if (rows.length === 0) return null;
    after = rows.at(-1)!.id;
    replanAll(rows.filter(isToPlan));
    return "now";
  }

  function isToPlan(row: ScheduleRow): boolean {
    try {
      return isMoved(parts, row);
    } catch (error) {
      skip(row, error);
      return false;
    }
  }

  /** Plans schedules again in one write; if that fails, in a write for each schedule. */
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
      skip(rows[0]!, error);
    }
  }

  function skip(row: ScheduleRow, error: unknown): void {
    if (isStorageFailure(error)) throw error;
    log.error("plan_check.failed", { schedule_id: row.id, error: describeError(error) });
  }
}
