import type { Instant } from "../../../kernel/time/time.ts";
import type { Unit } from "../../../kernel/storage/write.ts";
import type { Requests, RunFact, RunSource } from "../../runs/index.ts";
import type { Tasks } from "../../tasks/index.ts";
import type { ScheduleFact } from "../facts.ts";
import { isPaused, withoutPastPause } from "../idle.ts";
import { evaluate, missedBeforeOf, type Moment, type PlannedRow } from "./misfire.ts";
import type { Planner } from "./plan.ts";
import type { ScheduleStore } from "../store.ts";
import type { ScheduleRow } from "../table.ts";
import { dueOf } from "../timing-cache.ts";

/*
 * How a schedule becomes due.
 *
 * instants     the scheduled times of its timing (`timing/`).
 * cursor       every instant up to here is in exactly one row of history, or was not due. It only increases, unless a clock
 *              was set back by hours: then it moves back too, and instants that have a row are skipped. A row that is
 *              then in the future counts only for its own instant: the wrong clock alone missed those merged into it.
 * reach        the highest cursor, kept when the clock is set back. Once the clock has passed it again, instants up to it
 *              are decided: a machine that starts in 1970 and leaps to today makes up for no instant before it stopped.
 * next, due    the first instant after the cursor, and when it is due with its spread and jitter: the ticker waits for it.
 * idle         disabled or paused. No instant is due; afterwards the cursor skips the instants of the period.
 *
 * A due instant gets its own row if it is recorded in time, or up to 30 s late. If it was due earlier, or while the daemon was
 * down or asleep, it was missed. The misfire policy decides which missed instants get a row, which counts the others. Whether
 * the run of a row starts, waits or is skipped depends on the task (`runs/request.ts`).
 * A change of the schedule applies from the first instant that is not decided.
 */

export type DueFact = RunFact | ScheduleFact;

export interface DueRecorderDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
  readonly requests: Requests;
  readonly bootId: string;
}

/** Records due instants: rows and cursor in one write, so that a crash cannot lose or repeat one. */
export function createDueRecorder({ store, tasks, planner, requests, bootId }: DueRecorderDeps) {
  const sourceOf = (row: ScheduleRow, planned: PlannedRow, notBefore: Instant): RunSource => ({
    cause: { trigger: "schedule", sourceScheduleId: row.id },
    scheduledFor: planned.instant,
    notBefore,
    coalesced: planned.coalesced,
    coalescedFrom: planned.coalescedFrom,
  });

  return {
    /** Records every instant of one schedule that is due at this moment. */
    recordDue: (unit: Unit<DueFact>, stored: ScheduleRow, moment: Moment): void => {
      const row = withoutReach(withoutPastPause(stored, unit.now), moment);
      const task = tasks.get(row.taskId);
      const timing = planner.timingOf(row, task);
      const { rows, cursor } = evaluate(
        {
          timing,
          cursor: row.cursorAt,
          dueOf: (instant) => dueOf(row, instant),
          delayMaxMs: row.spreadMs + row.jitterMs,
          misfire: { policy: row.misfirePolicy, windowMs: row.misfireWindowMs, runsMax: row.misfireRunsMax },
          findRecordedSpan: (instant) => {
            const span = requests.findRecordedSpan(row.id, instant);
            // a row is never written before its instant, so the clock ran ahead when this row was written
            return span !== null && span.until > unit.now ? { from: span.until, until: span.until } : span;
          },
        },
        moment,
      );
      // no row says that an instant was missed while its task was held
      const skippedBecause = tasks.obstacleOf(task) === "held" ? "held" : "misfire";
      let { lastRunAt } = row;
      for (const planned of rows) {
        const source = sourceOf(row, planned, unit.now);
        const run = planned.isSkipped
          ? requests.skipFor(unit, task, { source, reason: skippedBecause })
          : requests.requestFor(unit, task, source);
        if (run.state !== "skipped") lastRunAt = planned.instant;
      }
      const { paused, pausedUntil } = row;
      const plan = planner.plan({ ...row, cursorAt: cursor }, timing);
      store.update(row.id, { paused, pausedUntil, reachedAt: row.reachedAt, lastRunAt, cursorAt: cursor, ...plan });
      unit.record({ name: "schedule.planned", scheduleId: row.id });
    },

    /**
     * Requests the run of a boot schedule, once per boot of the machine: when the daemon first starts after the boot.
     */
    recordBoot: (unit: Unit<DueFact>, row: ScheduleRow): void => {
      const isDue = row.enabled && !isPaused(row, unit.now) && isWithin(row, unit.now);
      store.update(row.id, { bootId, ...(isDue ? { lastRunAt: unit.now } : {}) });
      if (!isDue) return;
      const planned = { instant: unit.now, isSkipped: false, coalesced: 0, coalescedFrom: null };
      requests.requestFor(unit, tasks.get(row.taskId), sourceOf(row, planned, dueOf(row, unit.now)));
      unit.record({ name: "schedule.planned", scheduleId: row.id });
    },
  };
}

/**
 * Applies the reach once the clock has passed it. Before, the clock that reached it may have been wrong, and instants are
 * due. Instants that are still in time are due in any case.
 */
function withoutReach(row: ScheduleRow, moment: Moment): ScheduleRow {
  const { reachedAt } = row;
  if (reachedAt === null || reachedAt > moment.now) return row;
  const decidedUntil = Math.min(reachedAt, missedBeforeOf(moment) - row.spreadMs - row.jitterMs - 1);
  return {
    ...row,
    reachedAt: decidedUntil === reachedAt ? null : reachedAt,
    cursorAt: Math.max(row.cursorAt, decidedUntil),
  };
}

function isWithin(row: ScheduleRow, now: Instant): boolean {
  return (row.startsAt === null || row.startsAt <= now) && (row.endsAt === null || now <= row.endsAt);
}
