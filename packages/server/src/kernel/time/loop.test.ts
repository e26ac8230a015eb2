import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { soon } from "./clock.ts";
import { createLoop, type LoopParts, type Next } from "./loop.ts";

/** Waits for longer than a woken loop does. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => soon(resolve));
}

/** A loop on the manual clock. Each round takes the next answer, and none once they are used up. */
function openLoop(answers: (Next | Error)[] = [], more: Partial<LoopParts> = {}) {
  const clock = new ManualClock();
  const begunAt: number[] = [];
  const errors: unknown[] = [];
  const loop = createLoop({
    clock,
    round: () => {
      begunAt.push(clock.monotonicMs());
      const answer = answers.shift() ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onFailure: (error) => {
      errors.push(error);
      return { afterMs: 1_000 };
    },
    ...more,
  });
  return { ...loop, clock, begunAt, errors };
}

/** A loop whose rounds end when the test ends them. */
function openSlowLoop(more: Partial<LoopParts> = {}) {
  const ends: PromiseWithResolvers<Next>[] = [];
  const clock = new ManualClock();
  const round = (): Promise<Next> => {
    const end = Promise.withResolvers<Next>();
    ends.push(end);
    return end.promise;
  };
  return { ...createLoop({ clock, round, ...more }), clock, ends };
}

describe("a wake", () => {
  test("begins one round, however often it is repeated before, and never in the same turn", async () => {
    const { wake, rounds } = openLoop();
    for (let count = 0; count < 10; count++) wake();
    expect(rounds.begun).toBe(0);
    await rounds.idle();
    await someTurns();
    expect(rounds).toMatchObject({ begun: 1, finished: 1, failed: 0 });
  });

  test("lets callers that wait in between two rounds, although the event loop accepts one of them in each turn", async () => {
    await using place = await tempDir();
    const socketPath = join(place.path, "socket");
    const loop = openLoop([], { round: () => "now" });
    const acceptedIn: number[] = [];
    await using opened = new AsyncDisposableStack();
    const server = createServer(() => acceptedIn.push(loop.rounds.begun)).listen(socketPath);
    opened.defer(() => void server.close());
    opened.defer(loop.stop);
    await once(server, "listening");
    loop.runNow();
    const callers = Array.from({ length: 8 }, () => connect(socketPath));
    opened.defer(() => callers.forEach((caller) => caller.destroy()));
    await until("all are accepted", () => acceptedIn.length === callers.length);
    expect(acceptedIn.at(-1)! - acceptedIn[0]!).toBeLessThanOrEqual(1);
  });

  test("within a round begins one more round", async () => {
    const loop = openLoop([], {
      round: () => {
        if (loop.rounds.begun === 1) for (let count = 0; count < 3; count++) loop.wake();
        return null;
      },
    });
    loop.wake();
    await loop.rounds.after(2);
    await someTurns();
    expect(loop.rounds).toMatchObject({ begun: 2, finished: 2 });
  });

  test("during a long round begins one more round after it, never at the same time", async () => {
    const { wake, runNow, rounds, ends } = openSlowLoop();
    runNow();
    for (let count = 0; count < 3; count++) wake();
    runNow();
    await someTurns();
    expect(rounds).toMatchObject({ begun: 1, finished: 0 });
    ends[0]!.resolve(null);
    await rounds.after(1);
    await someTurns();
    expect(rounds).toMatchObject({ begun: 2, finished: 1 });
    ends[1]!.resolve(null);
    await rounds.idle();
    expect(rounds).toMatchObject({ begun: 2, finished: 2 });
  });

  test("before a scheduled round brings that round forward, and its former time begins no round", async () => {
    const { wake, runNow, rounds, clock } = openLoop([{ afterMs: 5_000 }]);
    runNow();
    wake();
    await rounds.after(2);
    await clock.advance(60_000);
    expect(rounds.begun).toBe(2);
    expect(clock.pendingTimers).toBe(0);
  });

  test("begins no second round if a timer begins the round first", async () => {
    const { wake, runNow, rounds } = openLoop();
    wake();
    runNow();
    await someTurns();
    expect(rounds.begun).toBe(1);
  });
});

describe("the next round", () => {
  test("begins as the last one requested: now, after a pause, at a time, or never", async () => {
    const { runNow, rounds, clock, begunAt } = openLoop([
      "now",
      { afterMs: 70_000 },
      { at: Date.parse("2026-01-01T00:01:20Z") },
      null,
    ]);
    runNow();
    await rounds.after(2);
    await clock.advance(200_000);
    expect(begunAt).toEqual([0, 0, 70_000, 80_000]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("begins soon if its time has passed, but not within the round that requested it", async () => {
    const { runNow, rounds } = openLoop([{ at: 0 }]);
    runNow();
    expect(rounds.begun).toBe(1);
    await rounds.after(2);
  });

  test("begins early if its time is far away, so that a clock set forward is noticed", async () => {
    const { runNow, clock, begunAt } = openLoop([{ at: Date.parse("2026-06-01T00:00:00Z") }], { waitMaxMs: 10_000 });
    runNow();
    clock.jump(200 * 86_400_000);
    await clock.advance(10_000);
    expect(begunAt).toEqual([0, 10_000]);
  });

  test("follows a clock that was set back: a time that is in the future again is waited for again", async () => {
    const at = Date.parse("2026-01-01T00:00:05Z");
    const found: boolean[] = [];
    const clock = new ManualClock();
    const round = (): Next => {
      found.push(clock.now() >= at);
      return clock.now() >= at ? null : { at };
    };
    const { runNow } = createLoop({ clock, round });
    runNow();
    clock.jump(-3_600_000);
    await clock.advance(3_600_000 + 5_000);
    // one early look after 5 s, then each 30 s, and the last one at its time
    expect(found.filter((isDue) => isDue)).toEqual([true]);
    expect(found).toHaveLength(1 + 3_600_000 / 30_000 + 1);
    expect(clock.now()).toBe(at);
  });

  test("takes its time from the calendar, and its pauses from the clock", async () => {
    const calendar = new ManualClock();
    const { runNow, clock, rounds } = openLoop([{ at: calendar.now() + 1_000 }, { afterMs: 1_000 }], { calendar });
    runNow();
    await clock.advance(5_000);
    expect(rounds.begun).toBe(1);
    await calendar.advance(1_000);
    expect(rounds.begun).toBe(2);
    await calendar.advance(5_000);
    expect(rounds.begun).toBe(2);
    await clock.advance(1_000);
    expect(rounds.begun).toBe(3);
  });
});

describe("a pause before a wake", () => {
  test("is the shortest of several, and over when any round begins", async () => {
    const { wakeWithin, runNow, clock, begunAt } = openLoop();
    for (const pauseMs of [50, 20, 90]) wakeWithin(pauseMs);
    await clock.advance(100);
    expect(begunAt).toEqual([20]);
    wakeWithin(50);
    runNow();
    await clock.advance(100);
    expect(begunAt).toEqual([20, 100]);
  });

  test("remains after the round that requested it", async () => {
    const loop = openLoop([], {
      round: () => {
        if (loop.rounds.begun === 1) loop.wakeWithin(20);
        return { afterMs: 500 };
      },
    });
    loop.runNow();
    await loop.clock.advance(20);
    expect(loop.rounds.begun).toBe(2);
  });
});

describe("a round that fails", () => {
  test("is reported, counted, and repeated as the loop decides", async () => {
    const { runNow, rounds, clock, begunAt, errors } = openLoop([new Error("full disk"), new Error("still"), null]);
    runNow();
    await clock.advance(10_000);
    expect(begunAt).toEqual([0, 1_000, 2_000]);
    expect(errors).toEqual([new Error("full disk"), new Error("still")]);
    expect(rounds).toMatchObject({ begun: 3, finished: 3, failed: 2 });
  });

  test("is repeated sooner by a wake", async () => {
    const { runNow, wake, rounds, begunAt, clock } = openLoop([new Error("full disk")]);
    runNow();
    wake();
    await rounds.after(2);
    await clock.advance(10_000);
    expect(begunAt).toEqual([0, 0]);
  });

  test("may fail asynchronously, and is handled the same way", async () => {
    const { runNow, rounds, ends, clock } = openSlowLoop({ onFailure: () => ({ afterMs: 10 }) });
    runNow();
    ends[0]!.reject(new Error("later"));
    await rounds.after(1);
    await clock.advance(10);
    expect(rounds).toMatchObject({ begun: 2, finished: 1, failed: 1 });
  });

  test("throws if nothing handles the error, and the loop can still be woken", async () => {
    const { runNow, wake, rounds } = openLoop([new Error("a bug")], {
      onFailure: (error) => {
        throw error;
      },
    });
    expect(runNow).toThrow("a bug");
    wake();
    await rounds.after(2);
    expect(rounds).toMatchObject({ begun: 2, finished: 2, failed: 1 });
  });
});

describe("a stop", () => {
  test("leaves no timer and no wake, and nothing begins a round afterwards", async () => {
    const { runNow, wake, wakeWithin, stop, rounds, clock } = openLoop([{ afterMs: 100 }]);
    runNow();
    wakeWithin(50);
    wake();
    await stop();
    expect(clock.pendingTimers).toBe(0);
    wake();
    runNow();
    wakeWithin(10);
    await clock.advance(1_000);
    expect(rounds.begun).toBe(1);
  });

  test("signals the running round to end, and resolves when it has ended", async () => {
    let isAborted = false;
    const end = Promise.withResolvers<Next>();
    const { runNow, wake, stop, rounds, clock } = openLoop([], {
      round: (stopping) => {
        stopping.addEventListener("abort", () => (isAborted = true));
        return end.promise;
      },
    });
    runNow();
    wake();
    let hasStopped = false;
    const stopped = stop().then(() => (hasStopped = true));
    await someTurns();
    expect([isAborted, hasStopped]).toEqual([true, false]);
    end.resolve("now");
    await stopped;
    await clock.advance(1_000);
    expect(rounds).toMatchObject({ begun: 1, finished: 1 });
  });

  test("within a round lets that round end, and resolves then", async () => {
    const loop = openLoop([], {
      round: () => {
        void loop.stop();
        return "now";
      },
    });
    loop.runNow();
    await loop.stop();
    await someTurns();
    expect(loop.rounds).toMatchObject({ begun: 1, finished: 1 });
  });
});
