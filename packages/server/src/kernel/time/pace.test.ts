import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { paced } from "./pace.ts";

/** Makes each piece in this many milliseconds, and returns the times at which a reader without delay gets them. */
async function timesOf(clock: ManualClock, makingMs: readonly number[]): Promise<readonly number[]> {
  async function* make() {
    for (const ms of makingMs) {
      await new Promise<void>((resolve) => void clock.after(ms, resolve));
      yield ms;
    }
  }
  const times: number[] = [];
  const reading = (async () => {
    for await (const _ of paced(make(), clock)) times.push(clock.monotonicMs());
  })();
  await clock.advance(1_000);
  await reading;
  return times;
}

test("work takes a twentieth of the time", async () => {
  expect(await timesOf(new ManualClock(), [1, 1, 1])).toEqual([1, 21, 41]);
});

test("short work is added up before a rest", async () => {
  expect(await timesOf(new ManualClock(), [0.25, 0.25, 0.25])).toEqual([0.25, 0.5, 0.5 + 9.5 + 0.25]);
});

test("a wait for a slow disk causes no long rest", async () => {
  expect(await timesOf(new ManualClock(), [300, 1])).toEqual([300, 321]);
});
