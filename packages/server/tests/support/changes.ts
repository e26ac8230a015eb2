import { patienceMs, reportLongWait } from "@belfry/test-kit";
import { systemClock, within } from "../../src/kernel/time/clock.ts";

/** The awaited change, and the maximum time to wait for it. */
export interface Wait {
  readonly what: string;
  readonly withinMs: number;
}

export function asWait(wait: string | Wait): Wait {
  return typeof wait === "string" ? { what: wait, withinMs: patienceMs } : wait;
}

/** Checks now, and again after each change, until the check succeeds. */
export async function untilChanged<T>(
  { what, withinMs }: Wait,
  look: () => T | Promise<T>,
  nextChange: () => Promise<void>,
): Promise<NonNullable<T>> {
  const start = performance.now();
  const deadline = start + withinMs;
  for (;;) {
    // before the check: a change during it is followed by another check
    const change = nextChange();
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) {
      reportLongWait(what, performance.now() - start);
      return seen;
    }
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await within(systemClock, leftMs, change);
  }
}

/** For a reader of a socket: `report` announces a change, and `until` checks again after each change. */
export function createChanges() {
  let next = Promise.withResolvers<void>();
  return {
    report: (): void => {
      next.resolve();
      next = Promise.withResolvers();
    },
    until: <T>(wait: string | Wait, look: () => T | Promise<T>): Promise<NonNullable<T>> =>
      untilChanged(asWait(wait), look, () => next.promise),
  };
}
