import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { type Clock, sleep, systemClock, within } from "./clock.ts";

interface Kind {
  readonly kind: string;
  readonly make: () => { readonly clock: Clock; readonly pass: (ms: number) => Promise<unknown> };
}

const kinds: readonly Kind[] = [
  { kind: "the system's clock", make: () => ({ clock: systemClock, pass: (ms) => sleep(systemClock, ms) }) },
  {
    kind: "the manual clock",
    make: () => {
      const clock = new ManualClock();
      return { clock, pass: (ms) => clock.advance(ms) };
    },
  },
];

const dayMs = 86_400_000;

describe.each(kinds)("$kind", ({ make }) => {
  test("calls once, and not before the time", async () => {
    const { clock, pass } = make();
    const from = clock.monotonicMs();
    const calledAt: number[] = [];
    clock.after(30, () => calledAt.push(clock.monotonicMs() - from));
    while (calledAt.length === 0) await pass(10);
    expect(calledAt[0]).toBeGreaterThanOrEqual(29.5);
    await pass(60);
    expect(calledAt).toHaveLength(1);
  });

  test("calls in the order of the times, not of the calls to after", async () => {
    const { clock, pass } = make();
    const called: number[] = [];
    for (const delayMs of [40, 1, 20]) clock.after(delayMs, () => called.push(delayMs));
    await pass(80);
    expect(called).toEqual([1, 20, 40]);
  });

  test("calls for a delay of zero or less, but never in the same turn", async () => {
    const { clock, pass } = make();
    let called = 0;
    for (const delayMs of [0, -5]) clock.after(delayMs, () => called++);
    expect(called).toBe(0);
    await pass(20);
    expect(called).toBe(2);
  });

  test("does not call a cancelled timer, even if it is cancelled twice", async () => {
    const { clock, pass } = make();
    let called = 0;
    const timer = clock.after(5, () => called++);
    timer.cancel();
    timer.cancel();
    await pass(30);
    const late = clock.after(1, () => called++);
    await pass(20);
    late.cancel();
    expect(called).toBe(1);
  });

  test("accepts a timer from within a timer", async () => {
    const { clock, pass } = make();
    const called: string[] = [];
    clock.after(5, () => {
      called.push("outer");
      clock.after(5, () => called.push("inner"));
    });
    while (called.length < 2) await pass(10);
    expect(called).toEqual(["outer", "inner"]);
  });

  test("does not call immediately for a delay of 30 days, which exceeds the maximum of a system timer", async () => {
    const { clock, pass } = make();
    let called = 0;
    const timers = [30 * dayMs, 2 ** 31, 2 ** 32, 36_525 * dayMs].map((delayMs) =>
      clock.after(delayMs, () => called++),
    );
    await pass(30);
    expect(called).toBe(0);
    for (const timer of timers) timer.cancel();
  });

  test("has a monotonic time that never falls, and a wall time that advances with it", async () => {
    const { clock, pass } = make();
    const [wall, monotonic] = [clock.now(), clock.monotonicMs()];
    await pass(25);
    expect(clock.monotonicMs() - monotonic).toBeGreaterThanOrEqual(24.5);
    expect(clock.now() - wall).toBeGreaterThanOrEqual(23);
    expect(Number.isInteger(clock.now())).toBe(true);
  });
});

describe("the manual clock", () => {
  test("advances 30 days in the given steps, and calls at the exact time", async () => {
    const clock = new ManualClock("2026-01-01T00:00:00Z");
    const called: number[] = [];
    clock.after(30 * dayMs, () => called.push(clock.now()));
    await clock.advance(30 * dayMs - 1);
    expect(called).toEqual([]);
    await clock.advance(1);
    expect(called).toEqual([Date.parse("2026-01-31T00:00:00Z")]);
  });

  test("moves only the wall clock when it is set", async () => {
    const clock = new ManualClock();
    const wall = clock.now();
    clock.jump(-dayMs);
    expect([clock.now() - wall, clock.monotonicMs()]).toEqual([-dayMs, 0]);
  });
});

describe("a sleep", () => {
  test("ends after its time", async () => {
    const clock = new ManualClock();
    let isOver = false;
    void sleep(clock, 1_000).then(() => (isOver = true));
    await clock.advance(999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
  });

  test("is ended by its signal, with the reason, and leaves no timer", async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const sleeping = sleep(clock, 1_000, abort.signal);
    abort.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(sleep(clock, 1_000, abort.signal)).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("work within a limit", () => {
  test("gives its result, and leaves no timer", async () => {
    const clock = new ManualClock();
    expect(await within(clock, 1_000, Promise.resolve("done"))).toBe("done");
    await expect(within(clock, 1_000, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(clock.pendingTimers).toBe(0);
  });

  test("gives undefined when the time is up first, and may fail later without harm", async () => {
    const clock = new ManualClock();
    const work = Promise.withResolvers<string>();
    const result = within(clock, 1_000, work.promise);
    await clock.advance(1_000);
    expect(await result).toBeUndefined();
    work.reject(new Error("too late"));
  });
});
