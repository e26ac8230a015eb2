import type { Clock, Timer } from "../../kernel/clock.ts";
import { describeError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { formatInstant, type Instant } from "../../kernel/time.ts";
import { createWake } from "../../kernel/wake.ts";
import type { Unit, Write } from "../../kernel/write.ts";
import type { Requests, RunFact } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import type { ScheduleFact } from "./facts.ts";
import { evaluate, type Moment } from "./misfire.ts";
import type { Planner } from "./plan.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";
import { dueOf } from "./timings.ts";

type TickFact = RunFact | ScheduleFact;

export interface TickerParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<TickFact>;
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
  readonly requests: Requests;
  readonly bootId: string;
}

export type Ticker = ReturnType<typeof createTicker>;

/** Schedules answered for in one write. */
const batchSize = 200;
/** The wall against the monotonic clock: more than this apart, somebody set the clock or the machine slept. */
const driftMaxMs = 2_000;
/** A clock set back by more than this is not waited for. */
const waitedForMs = 3 * 3_600_000;
/** Never longer: so that a machine that slept, or a clock that was set, is noticed. */
const restMaxMs = 30_000;
const troubleRestMs = 60_000;

/**
 * Answers for every due instant: rows and cursor in one write, so that a crash at any point neither loses nor doubles one.
 * It holds no plan of its own; each tick reads what is due.
 */
export function createTicker(parts: TickerParts) {
  const { clock, log, store } = parts;
  const wake = createWake(tick);
  let timer: Timer | null = null;
  let awakeSince: Instant = clock.now();
  let last = { wall: clock.now(), monotonic: clock.monotonicMs() };
  let isStopped = false;
  /** Schedules that could not be answered for, and when to try again: they must not hold up the others. */
  const troubled = new Map<string, Instant>();

  return {
    start: (): void => {
      awakeSince = clock.now();
      last = { wall: awakeSince, monotonic: clock.monotonicMs() };
      followClockBack();
      answerBoot();
      tick();
    },
    wake: wake.wake,
    stop: (): void => {
      isStopped = true;
      wake.stop();
      timer?.cancel();
    },
  };

  function tick(): void {
    if (isStopped) return;
    try {
      noticeJumps();
      const now = clock.now();
      for (let due = listDue(now); due.length > 0; due = listDue(now)) answerAll(due);
    } catch (error) {
      log.error("ticker.failed", { error: describeError(error) });
    }
    rest();
  }

  function rest(): void {
    timer?.cancel();
    const nextDue = store.findNextDue();
    const untilNext = nextDue === null ? restMaxMs : nextDue - clock.now();
    // what is overdue and still there is troubled: it is tried again later, not at once
    timer = clock.after(untilNext <= 0 ? 1_000 : Math.min(untilNext, restMaxMs), tick);
  }

  function noticeJumps(): void {
    const here = { wall: clock.now(), monotonic: clock.monotonicMs() };
    const driftMs = here.wall - last.wall - (here.monotonic - last.monotonic);
    last = here;
    if (Math.abs(driftMs) <= driftMaxMs) return;
    log.warn("clock.jumped", { drift_ms: Math.round(driftMs) });
    if (driftMs > 0) awakeSince = here.wall;
    else followClockBack();
  }

  function listDue(now: Instant): readonly ScheduleRow[] {
    return store.listDue(now, batchSize).filter((row) => (troubled.get(row.id) ?? 0) <= now);
  }

  function answerAll(due: readonly ScheduleRow[]): void {
    try {
      parts.write((unit) => due.forEach((row) => answer(unit, row)));
    } catch (error) {
      if (due.length > 1) return due.forEach((row) => answerAll([row]));
      troubled.set(due[0]!.id, clock.now() + troubleRestMs);
      log.error("schedule.failed", { schedule_id: due[0]!.id, error: describeError(error) });
    }
  }

  function answer(unit: Unit<TickFact>, row: ScheduleRow): void {
    const task = parts.tasks.get(row.taskId);
    const moment: Moment = { now: unit.now, awakeSince };
    const { rows, cursor } = evaluate(
      {
        timing: parts.planner.timingOf(row),
        cursor: parts.planner.cursorOf(row),
        dueOf: (instant) => dueOf(row, instant),
        jitterMs: row.jitterMs,
        misfire: { policy: row.misfirePolicy, windowMs: row.misfireWindowMs, runsMax: row.misfireRunsMax },
      },
      moment,
    );
    let lastRunAt = row.lastRunAt;
    for (const planned of rows) {
      const source = {
        trigger: "schedule",
        scheduleId: row.id,
        scheduledFor: planned.instant,
        notBefore: unit.now,
        coalesced: planned.coalesced,
        coalescedFrom: planned.coalescedFrom,
      } as const;
      const run = planned.isSkipped
        ? parts.requests.skipFor(unit, task, source, "misfire")
        : parts.requests.requestFor(unit, task, source);
      if (run.state !== "skipped") lastRunAt = planned.instant;
    }
    const answered = { ...row, cursorAt: cursor, lastRunAt, paused: false, pausedUntil: null };
    store.update(row.id, {
      cursorAt: cursor,
      lastRunAt,
      paused: false,
      pausedUntil: null,
      ...parts.planner.plan(answered),
    });
    unit.record({ name: "schedule.planned", scheduleId: row.id });
  }

  /** Once a boot of the machine: when the daemon first starts after it. */
  function answerBoot(): void {
    parts.write((unit) => {
      for (const row of store.listBoot()) {
        if (row.bootId === parts.bootId) continue;
        const isDue =
          row.enabled &&
          !(row.paused && (row.pausedUntil === null || row.pausedUntil > unit.now)) &&
          isWithin(row, unit.now);
        store.update(row.id, { bootId: parts.bootId, ...(isDue ? { lastRunAt: unit.now } : {}) });
        if (!isDue) continue;
        const due = {
          trigger: "schedule",
          scheduleId: row.id,
          scheduledFor: unit.now,
          notBefore: dueOf(row, unit.now),
          coalesced: 0,
          coalescedFrom: null,
        } as const;
        parts.requests.requestFor(unit, parts.tasks.get(row.taskId), due);
      }
    });
  }

  /** A little back: the cursor is waited for. Far back: the schedule goes on from here, and history says so. */
  function followClockBack(): void {
    const ahead = store.listAhead(clock.now() + waitedForMs);
    if (ahead.length === 0) return;
    parts.write((unit) => {
      for (const row of ahead) {
        const moved = { ...row, cursorAt: unit.now };
        store.openGap({ scheduleId: row.id, fromAt: unit.now, untilAt: row.cursorAt, reason: "clock_set_back" });
        store.update(row.id, { cursorAt: unit.now, ...parts.planner.plan(moved) });
        log.warn("schedule.clock_set_back", { schedule_id: row.id, cursor: formatInstant(row.cursorAt) });
      }
    });
  }
}

function isWithin(row: ScheduleRow, now: Instant): boolean {
  return (row.startsAt === null || row.startsAt <= now) && (row.endsAt === null || now <= row.endsAt);
}
