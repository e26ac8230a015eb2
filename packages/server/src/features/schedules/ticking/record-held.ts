import { describeError, isStorageFailure } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import type { Instant } from "../../../kernel/time/time.ts";
import type { Unit } from "../../../kernel/storage/write.ts";
import type { ScheduleRow } from "../table.ts";
import { createDueRecorder, type DueFact, type DueRecorderDeps } from "./record-due.ts";

export interface HoldReactionParts extends DueRecorderDeps {
  readonly log: Log;
}

/**
 * Records the times that a hold kept from running, before the hold ends: the ticker may not have reached them, and would
 * start their runs after the release.
 */
export function createHoldReactions(parts: HoldReactionParts) {
  const { store, tasks, log, bootId } = parts;
  const { recordDue, recordBoot } = createDueRecorder(parts);
  const isHeld = ({ taskId }: ScheduleRow): boolean => tasks.obstacleOf(tasks.get(taskId)) === "held";
  const recordHeld = (unit: Unit<DueFact>, { at }: { readonly at: Instant }): void => {
    for (const row of store.listDue(at, Number.MAX_SAFE_INTEGER)) {
      if (!isHeld(row)) continue;
      orElse(
        row,
        () => recordDue(unit, row, { now: at, awakeSince: at }),
        () => skipUntil(row, at),
      );
    }
    for (const row of store.listUnbooted(bootId))
      orElse(
        row,
        () => isHeld(row) && recordBoot(unit, row),
        () => store.update(row.id, { bootId }),
      );
  };

  return {
    onHoldEnding: recordHeld,
    /** Records everything that is due until now: the original of the restored data may have run it. */
    recordHeld: (unit: Unit<DueFact>): void => recordHeld(unit, { at: unit.now }),
  };

  /** Skips the held times without a row. The ticker plans the schedule once it can be handled. */
  function skipUntil(row: ScheduleRow, at: Instant): void {
    store.update(row.id, { cursorAt: Math.max(row.cursorAt, at), nextAt: at, dueAt: at });
  }

  /** Does something simpler for a schedule that cannot be handled: the hold ends for all others too. */
  function orElse(row: ScheduleRow, record: () => unknown, instead: () => void): void {
    try {
      record();
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      log.error("schedule.failed", { schedule_id: row.id, error: describeError(error) });
      instead();
    }
  }
}
