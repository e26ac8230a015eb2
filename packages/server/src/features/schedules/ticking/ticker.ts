import type { Clock } from "../../../kernel/time/clock.ts";
import { describeError, isStorageFailure } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { createLoop, type Next } from "../../../kernel/time/loop.ts";
import type { Instant } from "../../../kernel/time/time.ts";
import { ClockSetBackError, type CommitAt, type Unit, type Write } from "../../../kernel/storage/write.ts";
import { createBurstLead } from "./burst-lead.ts";
import { type DueRecorderDeps, type DueFact, createDueRecorder } from "./record-due.ts";
import { createClockWatch } from "./clock-watch.ts";
import { createPlanCheck } from "./plan-check.ts";
import type { ScheduleRow } from "../table.ts";

export interface TickerParts extends DueRecorderDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<DueFact>;
  /** Releases the holds whose time has come: they hold nothing that is due later. */
  readonly releaseExpired: () => void;
}

export type Ticker = ReturnType<typeof createTicker>;

/**
 * The number of schedules to handle in one write. The rest of the daemon runs between two writes. With a smaller number,
 * the first programs of a burst start sooner and the last ones later: each write waits for the disk, and takes processor
 * time from the starts.
 */
const batchSize = 100;
/** If the clock is set back further than this, schedules do not wait for their former cursors. */
const cursorWaitMaxMs = 3 * 3_600_000;
/** The longest pause: a suspended machine or a clock change is noticed before many schedules are due. */
const pauseMaxMs = 10_000;
/** Pause after a failed write: the disk may be full. */
const retryMs = 1_000;
/** Pause before a schedule that failed is tried again. The others do not wait for it. */
const failedScheduleRetryMs = 60_000;

type Work = (unit: Unit<DueFact>, row: ScheduleRow) => void;

interface How {
  /** Postpones a schedule that failed. */
  readonly putOff?: Work;
  /** The instant of a burst; null if the schedules are due now. */
  readonly commit?: CommitAt | null;
}

/**
 * Handles due schedules, soonest first. It keeps no plan of its own: each round reads the schedules that are due and
 * handles one batch. The next round follows immediately while more are due, otherwise at the next due time; a burst of
 * schedules has its round shortly before (`burst-lead.ts`).
 */
export function createTicker(parts: TickerParts) {
  const { clock, log, store, write, planner } = parts;
  const answers = createDueRecorder(parts);
  const planCheck = createPlanCheck(parts);
  const lead = createBurstLead({ clock, store, batchSize });
  const loop = createLoop({
    clock,
    waitMaxMs: pauseMaxMs,
    round: tick,
    onFailure: (error) => {
      log.error("ticker.failed", { error: describeError(error) });
      return { afterMs: retryMs };
    },
  });
  let watch = createClockWatch(clock);
  /** Whether `followClockBack` has run since the start, or since the clock was last set back. */
  let isClockChecked = false;
  let isBootAnswered = false;
  /**
   * When failed boot schedules are tried again, by the monotonic clock. They have no due time that could be postponed.
   */
  let bootRetryAt = -Infinity;

  return {
    rounds: loop.rounds,
    start: (): void => {
      watch = createClockWatch(clock);
      loop.runNow();
      planCheck.wake();
    },
    wake: loop.wake,
    stop: async (): Promise<void> => {
      await Promise.all([loop.stop(), planCheck.stop()]);
    },
  };

  function tick(): Next {
    const driftMs = watch.look();
    if (driftMs !== 0) log.warn("clock.jumped", { drift_ms: driftMs });
    if (driftMs < 0) isClockChecked = false;
    if (!isClockChecked) followClockBack();
    else if (driftMs > 0) write((unit) => unit.record({ name: "clock.set" }));
    parts.releaseExpired();
    if (!isBootAnswered && clock.monotonicMs() >= bootRetryAt) recordBoot();
    const burst = lead.find();
    const rows = store.listDue(burst?.at ?? clock.now(), batchSize);
    answerAll(rows, recordDue, { commit: burst });
    const nextDue = store.findNextDue();
    return nextDue === null ? { afterMs: pauseMaxMs } : { at: lead.roundFor(nextDue) };
  }

  function recordDue(unit: Unit<DueFact>, row: ScheduleRow): void {
    answers.recordDue(unit, row, { now: unit.now, awakeSince: watch.awakeSince });
  }

  /**
   * Handles schedules in one write. If that fails, each gets its own write, and those that fail again are postponed.
   * Returns whether none failed.
   */
  function answerAll(rows: readonly ScheduleRow[], answer: Work, how: How = {}): boolean {
    if (rows.length === 0) return true;
    try {
      write((unit) => rows.forEach((row) => answer(unit, row)), how.commit ?? undefined);
    } catch (error) {
      if (isNobodysFault(error)) throw error;
      return rows.map((row) => answerAlone(row, answer, how)).every(Boolean);
    }
    return true;
  }

  function answerAlone(row: ScheduleRow, answer: Work, { putOff = putOffDue, commit }: How): boolean {
    try {
      write((unit) => answer(unit, row), commit ?? undefined);
      return true;
    } catch (error) {
      if (isNobodysFault(error)) throw error;
      log.error("schedule.failed", { schedule_id: row.id, error: describeError(error) });
      write((unit) => putOff(unit, row));
      return false;
    }
  }

  function putOffDue(unit: Unit<DueFact>, row: ScheduleRow): void {
    if (row.dueAt !== null) store.update(row.id, { dueAt: unit.now + failedScheduleRetryMs });
  }

  function recordBoot(): void {
    isBootAnswered = answerAll(store.listUnbooted(parts.bootId), answers.recordBoot);
    bootRetryAt = clock.monotonicMs() + failedScheduleRetryMs;
  }

  /**
   * Handles a clock that was set back. If by little, schedules wait for their cursors. If by far, they continue from
   * now, except for times that already have a row.
   */
  function followClockBack(): void {
    const ahead = store.listAhead(clock.now() + cursorWaitMaxMs);
    if (ahead.length > 0) {
      // in batches, because each row of a failed batch is written again alone: a small batch limits that
      for (let at = 0; at < ahead.length; at += batchSize) {
        answerAll(ahead.slice(at, at + batchSize), continueFromNow, { putOff: putOffFromNow });
      }
      log.warn("schedules.clock_set_back", { schedules: ahead.length });
    }
    write((unit) => unit.record({ name: "clock.set" }));
    isClockChecked = true;
  }

  function continueFromNow(unit: Unit<DueFact>, row: ScheduleRow): void {
    const change = { cursorAt: unit.now, reachedAt: reachOf(row) };
    store.update(row.id, { ...change, ...planner.plan({ ...row, ...change }) });
    unit.record({ name: "schedule.planned", scheduleId: row.id });
  }

  /**
   * Postpones a schedule that cannot be planned. It is marked as due, and continues from now once it can be handled.
   */
  function putOffFromNow(unit: Unit<DueFact>, row: ScheduleRow): void {
    store.update(row.id, {
      cursorAt: unit.now,
      reachedAt: reachOf(row),
      nextAt: unit.now,
      dueAt: unit.now + failedScheduleRetryMs,
    });
  }
}

/** Whether the error would fail every schedule. */
function isNobodysFault(error: unknown): boolean {
  return isStorageFailure(error) || error instanceof ClockSetBackError;
}

/** Returns the highest cursor that the schedule has had. */
function reachOf({ cursorAt, reachedAt }: ScheduleRow): Instant {
  return Math.max(cursorAt, reachedAt ?? cursorAt);
}
