import { type ManualClock, until } from "@belfry/test-kit";
import { systemClock, within } from "../src/kernel/time/clock.ts";
import type { Rounds } from "../src/kernel/time/loop.ts";

/** A daemon in this process shows the rounds of its loops; one in a process of its own does not. */
export interface WithRounds {
  readonly rounds?: Readonly<Record<string, Rounds>>;
}

interface Wait {
  readonly what: string;
  readonly withinMs: number;
}

/** Looks now, and again after each round of the daemon's loops, which make the change. Polls a daemon in another process. */
export async function untilRound<T>(
  { rounds }: WithRounds,
  wait: string | Wait,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const { what, withinMs } = typeof wait === "string" ? { what: wait, withinMs: 10_000 } : wait;
  if (rounds === undefined) return until(what, look, withinMs);
  const deadline = performance.now() + withinMs;
  for (;;) {
    // before the look: a round that ends during the look is followed by another look
    const nextRound = Promise.race(Object.values(rounds).map((each) => each.after(each.finished + 1)));
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await within(systemClock, leftMs, nextRound);
  }
}

/** Lets this time pass, in which a round of housekeeping begins, and then the time of its pauses until it has ended. */
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
