import type { Clock, Timer } from "../../../kernel/time/clock.ts";
import { describeError, isStorageFailure } from "../../../kernel/errors/errors.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { createWake } from "../../../kernel/time/wake.ts";
import type { Unit, Write } from "../../../kernel/storage/write.ts";
import { type AnswerDeps, type AnswerFact, createAnswers } from "./answer.ts";
import { createClockWatch } from "./clock-watch.ts";
import { createPlanCheck } from "./plan-check.ts";
import type { ScheduleRow } from "../table.ts";

export interface TickerParts extends AnswerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<AnswerFact>;
}

export type Ticker = ReturnType<typeof createTicker>;

/** Schedules answered for in one write; between two, the rest of the daemon has its turn. */
const batchSize = 50;
/** A clock set back by more than this is not waited for. */
const waitedForMs = 3 * 3_600_000;
/** Never longer: a machine that slept, or a clock that was set, is noticed before much falls due that was not slept through. */
const restMaxMs = 10_000;
/** After a write that failed: the disk may be full. */
const retryMs = 1_000;
/** Before a schedule that cannot be answered for is tried again; the others do not wait for it. */
const troubleMs = 60_000;

type Work = (unit: Unit<AnswerFact>, row: ScheduleRow) => void;

/**
 * Answers for what falls due, soonest first. It holds no plan of its own: each tick reads what is due, works through one
 * batch, and comes back at once while there is more, else when the next instant is due.
 */
export function createTicker(parts: TickerParts) {
  const { clock, log, store, write, planner } = parts;
  const answers = createAnswers(parts);
  const planCheck = createPlanCheck(parts);
  const wake = createWake(tick);
  let watch = createClockWatch(clock);
  let timer: Timer | null = null;
  /** What is done once, as soon as the disk allows. */
  let isClockChecked = false;
  let isBootAnswered = false;
  /** By the monotonic clock: where a boot schedule cannot be answered for, which has no due instant to put off. */
  let bootAgainAt = -Infinity;
  let isStopped = false;

  return {
    start: (): void => {
      watch = createClockWatch(clock);
      tick();
      planCheck.start();
    },
    wake: wake.wake,
    stop: (): void => {
      isStopped = true;
      wake.stop();
      planCheck.stop();
      timer?.cancel();
    },
  };

  function tick(): void {
    if (isStopped) return;
    timer?.cancel();
    try {
      const driftMs = watch.look();
      if (driftMs !== 0) log.warn("clock.jumped", { drift_ms: driftMs });
      if (driftMs < 0) isClockChecked = false;
      if (!isClockChecked) followClockBack();
      if (!isBootAnswered && clock.monotonicMs() >= bootAgainAt) answerBoot();
      answerAll(store.listDue(clock.now(), batchSize), (unit, row) => answers.answerDue(unit, row, watch.awakeSince));
      rest();
    } catch (error) {
      log.error("ticker.failed", { error: describeError(error) });
      timer = clock.after(retryMs, tick);
    }
  }

  function rest(): void {
    const nextDue = store.findNextDue();
    const untilNext = nextDue === null ? restMaxMs : nextDue - clock.now();
    if (untilNext <= 0) return wake.wake();
    timer = clock.after(Math.min(untilNext, restMaxMs), tick);
  }

  /** In one write; where that fails, each by itself, and those that fail alone are put off. True when none failed. */
  function answerAll(rows: readonly ScheduleRow[], answer: Work, putOff: Work = putOffDue): boolean {
    if (rows.length === 0) return true;
    try {
      write((unit) => rows.forEach((row) => answer(unit, row)));
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      return rows.map((row) => answerAlone(row, answer, putOff)).every(Boolean);
    }
    return true;
  }

  function answerAlone(row: ScheduleRow, answer: Work, putOff: Work): boolean {
    try {
      write((unit) => answer(unit, row));
      return true;
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      log.error("schedule.failed", { schedule_id: row.id, error: describeError(error) });
      write((unit) => putOff(unit, row));
      return false;
    }
  }

  function putOffDue(unit: Unit<AnswerFact>, row: ScheduleRow): void {
    if (row.dueAt !== null) store.update(row.id, { dueAt: unit.now + troubleMs });
  }

  function answerBoot(): void {
    isBootAnswered = answerAll(store.listUnbooted(parts.bootId), answers.answerBoot);
    bootAgainAt = clock.monotonicMs() + troubleMs;
  }

  /** A little back: the cursor is waited for. Far back: schedules go on from here, but for what has a row already. */
  function followClockBack(): void {
    const ahead = store.listAhead(clock.now() + waitedForMs);
    if (ahead.length > 0) {
      // in batches: of one that fails, each row is a write of its own
      for (let at = 0; at < ahead.length; at += batchSize) {
        answerAll(ahead.slice(at, at + batchSize), goOnFromHere, comeBackFromHere);
      }
      log.warn("schedules.clock_set_back", { schedules: ahead.length });
    }
    isClockChecked = true;
  }

  function goOnFromHere(unit: Unit<AnswerFact>, row: ScheduleRow): void {
    store.update(row.id, { cursorAt: unit.now, ...planner.plan({ ...row, cursorAt: unit.now }) });
    unit.record({ name: "schedule.planned", scheduleId: row.id });
  }

  /** It cannot be planned: it stands as due and put off, and once it can be answered for it goes on from here. */
  function comeBackFromHere(unit: Unit<AnswerFact>, row: ScheduleRow): void {
    store.update(row.id, { cursorAt: unit.now, nextAt: unit.now, dueAt: unit.now + troubleMs });
  }
}
