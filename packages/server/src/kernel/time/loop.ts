import { afterCallers, type Clock, type Timer } from "./clock.ts";
import type { Instant } from "./time.ts";
import { createWake } from "./wake.ts";

/*
 * A loop: work that the daemon does by itself, in rounds.
 *
 *   idle      No round is planned. Every loop is idle at first.
 *   waiting   The next round has a time: the one that the last round asked for, or the end of a pause (`wakeWithin`).
 *   woken     The next round begins once callers that wait have been let in. Further wakes change nothing.
 *   running   A round is running. A wake is remembered: another round follows, however often the loop is woken.
 *   stopped   For good. No round begins any more, and nothing wakes the loop.
 *
 *   idle, waiting -> woken     `wake`
 *   idle, waiting -> running   `runNow`, or a timer
 *   idle -> waiting            `wakeWithin`
 *   woken -> running           a few turns of the event loop later, or with `runNow`
 *   running -> woken           the round asked for another one now, or the loop was woken during the round
 *   running -> waiting, idle   otherwise, as the round asked, or as `onFailure` asked for a round that failed
 *   any -> stopped             `stop`, which resolves when the running round has ended
 *
 * Two rounds never overlap. A round that begins cancels both timers: what they would have begun has begun. A round that
 * returns no promise has ended before `runNow` returns.
 */

/** When the next round begins: now, at a time of the calendar, after a pause, or (null) only when the loop is woken. */
export type Next = "now" | { readonly at: Instant } | { readonly afterMs: number } | null;

export interface LoopParts {
  /** Measures the pauses. */
  readonly clock: Clock;
  /** The clock for `{ at }`. Default: `clock`. */
  readonly calendar?: Clock;
  /** The longest wait for `{ at }`. Then a round begins early, because the calendar may have been set meanwhile. */
  readonly waitMaxMs?: number;
  /** Does the work of one round. An asynchronous round should end soon after the signal. */
  readonly round: (stopping: AbortSignal) => Next | Promise<Next>;
  /** Reports the error and decides on the next round. Without it, the error of a round is thrown on. */
  readonly onFailure?: (error: unknown) => Next;
}

/** What a loop has done so far, and promises for tests, which then need not poll. */
export interface Rounds {
  readonly begun: number;
  /** The number of rounds that have finished, including those that failed. */
  readonly finished: number;
  readonly failed: number;
  /** Resolves when `count` rounds have finished since the loop was created. */
  readonly after: (count: number) => Promise<void>;
  /** Resolves when no round is running and the loop is not woken. The loop may be waiting. */
  readonly idle: () => Promise<void>;
}

export interface Loop {
  readonly rounds: Rounds;
  readonly wake: () => void;
  /** Wakes the loop after the pause, unless a round begins before. The shortest of several pauses counts. */
  readonly wakeWithin: (pauseMs: number) => void;
  /** Begins a round in this turn; during a round it works like `wake`. */
  readonly runNow: () => void;
  readonly stop: () => Promise<void>;
}

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

const waitMaxMsDefault = 30_000;

export function createLoop(parts: LoopParts): Loop {
  const { clock, calendar = clock, waitMaxMs = waitMaxMsDefault } = parts;
  const stopping = new AbortController();
  const soon = createWake(
    () => {
      // a timer may have begun the round before
      if (isWoken) runNow();
    },
    (work) => afterCallers(clock, work),
  );
  const waiters = new Set<Waiter>();
  const rounds = {
    begun: 0,
    finished: 0,
    failed: 0,
    after: (count: number) => when(() => rounds.finished >= count),
    idle: () => when(() => !isRunning && !isWoken),
  };
  let isWoken = false;
  let isRunning = false;
  let nextTimer: Timer | null = null;
  let pause: { readonly endsAt: number; readonly timer: Timer } | null = null;

  return {
    rounds,
    wake,
    wakeWithin: (pauseMs) => {
      const endsAt = clock.monotonicMs() + pauseMs;
      if (isStopped() || (pause !== null && pause.endsAt <= endsAt)) return;
      pause?.timer.cancel();
      pause = { endsAt, timer: clock.after(pauseMs, runNow) };
    },
    runNow,
    stop: () => {
      stopping.abort();
      soon.stop();
      isWoken = false;
      cancelTimers();
      release();
      return when(() => !isRunning);
    },
  };

  function isStopped(): boolean {
    return stopping.signal.aborted;
  }

  function wake(): void {
    if (isStopped()) return;
    isWoken = true;
    // a running round begins the next one when it ends
    if (!isRunning) soon.wake();
  }

  function runNow(): void {
    if (isStopped()) return;
    if (isRunning) return wake();
    cancelTimers();
    isWoken = false;
    isRunning = true;
    rounds.begun++;
    let outcome: Next | Promise<Next>;
    try {
      outcome = parts.round(stopping.signal);
    } catch (error) {
      return fail(error);
    }
    if (outcome instanceof Promise) void outcome.then(finish, fail);
    else finish(outcome);
  }

  function fail(error: unknown): void {
    rounds.failed++;
    let next: Next = null;
    try {
      if (parts.onFailure === undefined) throw error;
      next = parts.onFailure(error);
    } finally {
      finish(next);
    }
  }

  function finish(next: Next): void {
    isRunning = false;
    rounds.finished++;
    if (!isStopped()) plan(next);
    release();
  }

  function plan(next: Next): void {
    if (isWoken || next === "now") return wake();
    if (next === null) return;
    if ("afterMs" in next) nextTimer = clock.after(next.afterMs, runNow);
    else {
      const leftMs = next.at - calendar.now();
      if (leftMs <= 0) wake();
      else nextTimer = calendar.after(Math.min(leftMs, waitMaxMs), runNow);
    }
  }

  function cancelTimers(): void {
    nextTimer?.cancel();
    nextTimer = null;
    pause?.timer.cancel();
    pause = null;
  }

  function when(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => void waiters.add({ isMet, resolve }));
  }

  function release(): void {
    for (const waiter of waiters) {
      if (!waiter.isMet()) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
