import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createClockSetWatch } from "./clock-set-watch.ts";

test("a clock that is set is reported once, by how much, and again after an undo", async () => {
  const clock = new ManualClock();
  const watch = createClockSetWatch(clock);
  await clock.advance(5_000);
  expect(watch.look()).toBe(0);
  clock.jump(3_600_000);
  await clock.advance(5_000);
  expect(watch.look()).toBe(3_600_000);
  expect(watch.look()).toBe(0);
  clock.jump(-86_400_000);
  expect(watch.look()).toBe(-86_400_000);
  watch.undo();
  expect(watch.look()).toBe(-86_400_000);
});

test("time in which the machine slept, and small corrections, are not reported", async () => {
  const clock = new ManualClock();
  const watch = createClockSetWatch(clock);
  clock.suspend(8 * 3_600_000);
  expect(watch.look()).toBe(0);
  clock.jump(1_500);
  expect(watch.look()).toBe(0);
  clock.suspend(3_600_000);
  clock.jump(-7_200_000);
  expect(watch.look()).toBe(-7_198_500);
});
