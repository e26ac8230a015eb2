import type { Clock } from "../kernel/time/clock.ts";

/** How long a denial stands for identical ones. */
const sameForMs = 60_000;
/** Far more than the actors of one daemon have operations. Beyond it, the oldest denial is recorded again. */
const keptMax = 10_000;

interface Denial {
  readonly untilMs: number;
  /** Rejects if the row of this denial could not be written. */
  readonly recorded: Promise<void>;
}

/**
 * Records only the first of identical denials in a minute. A caller who repeats a denied call could otherwise push every
 * older row out of the trail. Uses the monotonic clock, so setting the clock neither hides nor repeats a denial.
 */
export function createRepeatedDenials(clock: Pick<Clock, "monotonicMs">, max = keptMax) {
  /** In the order of their time, because each entry is new at the end. */
  const denials = new Map<string, Denial>();

  return (key: string, record: () => Promise<void>): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const known = denials.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.recorded;
    denials.delete(key);
    for (const [oldest, { untilMs }] of denials) {
      if (untilMs > nowMs && denials.size < max) break;
      denials.delete(oldest);
    }
    const recorded = record().catch((error: unknown) => {
      // the next denial must try again, because nothing proves this one
      denials.delete(key);
      throw error;
    });
    denials.set(key, { untilMs: nowMs + sameForMs, recorded });
    return recorded;
  };
}
