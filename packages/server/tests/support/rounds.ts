import { type ManualClock, until } from "@belfry/test-kit";
import type { Rounds } from "../../src/kernel/time/loop.ts";
import { asWait, untilChanged, type Wait } from "./changes.ts";

/** A daemon in this process exposes the rounds of its loops; one in its own process does not. */
export interface WithRounds {
  readonly rounds?: Readonly<Record<string, Rounds>>;
}

/** Checks now, and again after each round of the daemon's loops, which make the change. Polls a daemon in another process. */
export async function untilRound<T>(
  { rounds }: WithRounds,
  wait: string | Wait,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const { what, withinMs } = asWait(wait);
  if (rounds === undefined) return until(what, look, withinMs);
  return untilChanged({ what, withinMs }, look, () =>
    Promise.race(Object.values(rounds).map((each) => each.after(each.finished + 1))),
  );
}

/**
 * Advances the clock by this time, in which a round of housekeeping begins, and then by its pauses until it has ended.
 */
export async function finishHousekeeping(
  { rounds: { housekeeping } }: { readonly rounds: { readonly housekeeping: Rounds } },
  clock: ManualClock,
  afterMs: number,
): Promise<void> {
  const { begun } = housekeeping;
  await clock.advance(afterMs);
  if (housekeeping.begun === begun) throw new Error(`no round of housekeeping began within ${afterMs} ms`);
  while (housekeeping.finished < housekeeping.begun) await clock.advance(1);
}
