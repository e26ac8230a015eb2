import { uptime } from "node:os";
import { type Instant, readWallClock } from "./time.ts";

/** The only access to clocks and timers. A test passes a manual clock and never sleeps. */
export interface Clock {
  /** Returns the time of the wall clock, which people and the network may set. */
  readonly now: () => Instant;
  /** Returns milliseconds that never decrease. They do not advance while the machine is suspended. */
  readonly monotonicMs: () => number;
  /** Returns milliseconds that never decrease, and advance while the machine is suspended. Costs more than the others. */
  readonly uptimeMs: () => number;
  /** Calls `work` once after `delayMs`. The timer does not keep the process alive unless `hold` is set. */
  readonly after: (delayMs: number, work: () => void, options?: { readonly hold?: boolean }) => Timer;
  /** Blocks this thread for so long. A clock that others advance lacks it. */
  readonly block?: (ms: number) => void;
}

export interface Timer {
  readonly cancel: () => void;
}

/** The longest step of a wait. A timer of over 24.8 days would fire immediately, and a suspend must be noticed. */
export const timerStepMaxMs = 30_000;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

export const systemClock: Clock = {
  now: readWallClock,
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
  after: (delayMs, work, options) => {
    const dueAt = performance.now() + delayMs;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const leftMs = dueAt - performance.now();
      handle = setTimeout(
        () => (dueAt - performance.now() > 0.5 ? arm() : work()),
        Math.max(0, Math.min(leftMs, timerStepMaxMs)),
      );
      if (options?.hold !== true) handle.unref();
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
  block: (ms) => void Atomics.wait(nobodyWakes, 0, 0, ms),
};

/** Runs the work after everything that is already queued, including input and output. */
export function soon(work: () => void): void {
  setImmediate(work);
}

/** Enough for a page of the screens, which asks for eight things at once. */
const callerTurns = 16;
const callerMs = 10;

/**
 * Runs the work once callers that wait have been let in, and waits for no further turn once 10 ms have passed. The event loop
 * accepts one connection in each turn, however many wait, so work in every turn would keep each of them waiting for all that
 * came before it.
 */
export function afterCallers(clock: Pick<Clock, "monotonicMs">, work: () => void): void {
  const startMs = clock.monotonicMs();
  let turns = 0;
  const turn = (): void => {
    if (++turns >= callerTurns || clock.monotonicMs() - startMs >= callerMs) work();
    else setImmediate(turn);
  };
  setImmediate(turn);
}

/** Resolves after `delayMs`, and keeps the process alive until then. Rejects with the signal's reason if aborted before. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const wake = (): void => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = clock.after(delayMs, wake, { hold: true });
    const stop = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Resolves with the result of the work, or with undefined if it takes longer than `limitMs`; the work itself continues.
 * Keeps the process alive until then. Rejects as the work does.
 */
export async function within<T>(
  clock: Pick<Clock, "after">,
  limitMs: number,
  work: Promise<T>,
): Promise<T | undefined> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<undefined>();
  const limit = clock.after(limitMs, () => resolve(undefined), { hold: true });
  try {
    return await Promise.race([work, timeIsUp]);
  } finally {
    limit.cancel();
  }
}
