import { type Clock, sleep } from "./clock.ts";

/** The rest is this many times as long as the work before it, so that the work takes a twentieth of the time. */
const restTimes = 19;
/** A wait for a slow disk or a slow reader is no work, so it causes no long rest. */
const restMaxMs = 20;
/** Shorter work has no rest of its own, because a timer waits at least a millisecond. */
const workMinMs = 0.5;

/** Returns how long work in the background rests after it has worked this long. */
export function restAfter(workedMs: number): number {
  return Math.min(workedMs * restTimes, restMaxMs);
}

/** Passes the pieces on, and rests between them, so that making and reading them leaves most of the time to others. */
export async function* paced<T>(pieces: AsyncIterable<T>, clock: Clock): AsyncGenerator<T> {
  let begunAt = clock.monotonicMs();
  for await (const piece of pieces) {
    yield piece;
    const workedMs = clock.monotonicMs() - begunAt;
    if (workedMs < workMinMs) continue;
    await sleep(clock, restAfter(workedMs));
    begunAt = clock.monotonicMs();
  }
}
