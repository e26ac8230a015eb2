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
      orLater(row, () => isHeld(row) && recordDue(unit, row, { now: at, awakeSince: at }));
    }
    for (const row of store.listUnbooted(bootId)) orLater(row, () => isHeld(row) && recordBoot(unit, row));
  };

  return {
    onHoldEnding: recordHeld,
    /** Records everything that is due until now: the original of the restored data may have run it. */
    recordHeld: (unit: Unit<DueFact>): void => recordHeld(unit, { at: unit.now }),
  };

  /** Leaves a schedule that cannot be handled to the ticker, which postpones it. */
  function orLater(row: ScheduleRow, record: () => unknown): void {
    try {
      record();
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      log.error("schedule.failed", { schedule_id: row.id, error: describeError(error) });
    }
  }
}
