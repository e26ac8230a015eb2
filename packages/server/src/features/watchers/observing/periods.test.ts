import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createPeriods } from "./periods.ts";

function setup() {
  const clock = new ManualClock();
  const periods = createPeriods({ clock, overflowAt: 100 });
  const endRound = (isIdle = true): void => periods.endRound({ begunAt: clock.monotonicMs(), isIdle });
  /** Rounds every second, as the loop has them. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await clock.advance(1_000);
      expect(periods.isEverythingDue()).toBe(false);
      endRound();
    }
  };
  return { clock, periods, endRound, pass };
}

test("everything is due after as many notifications in one round as may have filled the system's queue", async () => {
  const { clock, periods, endRound } = setup();
  for (let count = 0; count < 99; count++) periods.countNotification();
  expect(periods.isEverythingDue()).toBe(false);
  for (let count = 0; count < 100; count++) periods.countNotification();
  expect(periods.isEverythingDue()).toBe(true);
  endRound();

  // a storm: once in a second, and once more after its end
  let times = 0;
  for (let round = 0; round < 29; round++) {
    for (let count = 0; count < 100; count++) periods.countNotification();
    await clock.advance(100);
    if (periods.isEverythingDue()) times++;
    endRound();
  }
  expect(times).toBe(2);
  expect(periods.nextAt()).toBe(clock.monotonicMs() + 100);
  await clock.advance(100);
  expect(periods.isEverythingDue()).toBe(true);
});

test("everything is due after a stop of the process, and after a sleep of the machine", async () => {
  const { clock, periods, endRound, pass } = setup();
  await pass(5_000);
  await clock.advance(3_001);
  expect(periods.isEverythingDue()).toBe(true);
  endRound();
  expect(periods.isEverythingDue()).toBe(false);
  clock.jump(60_000);
  expect(periods.isEverythingDue()).toBe(true);
  endRound();
  clock.jump(-60_000);
  expect(periods.isEverythingDue()).toBe(true);
  endRound();
  await pass(2_000);
});

test("paths are checked every 10 s, directories without notifications every 5 s, all directories every 60 s", async () => {
  const { periods, pass } = setup();
  const count = { check: 0, poll: 0, sweep: 0 };
  for (let second = 0; second < 120; second++) {
    await pass(1_000);
    if (periods.isCheckDue()) count.check++;
    if (periods.isPollDue()) count.poll++;
    if (periods.isSweepDue()) count.sweep++;
  }
  expect(count.check).toBe(12);
  expect(count.poll).toBeGreaterThanOrEqual(20);
  expect(count.poll).toBeLessThanOrEqual(24);
  expect(count.sweep).toBeGreaterThanOrEqual(1);
});

test("the first looks at everything count as a sweep", async () => {
  const { clock, periods } = setup();
  await clock.advance(2_000);
  periods.endRound({ begunAt: 0, isIdle: true });
  await clock.advance(600_000 - 1);
  expect(periods.isSweepDue()).toBe(false);
  await clock.advance(1);
  expect(periods.isSweepDue()).toBe(true);
});

test("the pause after polls is twenty times as long as their work, and three hundred times after a sweep", async () => {
  const { clock, periods } = setup();
  await clock.advance(2_000);
  periods.endRound({ begunAt: 0, isIdle: true });
  await clock.advance(600_000);
  expect(periods.isPollDue()).toBe(true);
  expect(periods.isSweepDue()).toBe(true);
  const begunAt = clock.monotonicMs();
  await clock.advance(2_000);
  periods.endRound({ begunAt, isIdle: false });
  expect(periods.isPollDue()).toBe(false);
  periods.endRound({ begunAt: clock.monotonicMs(), isIdle: true });
  await clock.advance(39_999);
  expect(periods.isPollDue()).toBe(false);
  await clock.advance(1);
  expect(periods.isPollDue()).toBe(true);
  await clock.advance(560_000 - 1);
  expect(periods.isSweepDue()).toBe(false);
  await clock.advance(1);
  expect(periods.isSweepDue()).toBe(true);
});

test("one poll that takes long does not delay the next one, and two in a row do", async () => {
  const { clock, periods, endRound } = setup();
  endRound();
  const poll = async (tookMs: number) => {
    expect(periods.isPollDue()).toBe(true);
    const begunAt = clock.monotonicMs();
    await clock.advance(tookMs);
    periods.endRound({ begunAt, isIdle: true });
  };
  await clock.advance(5_000);
  await poll(10);
  await clock.advance(5_000);
  await poll(10_000);
  await clock.advance(5_000);
  await poll(10_000);
  await clock.advance(199_999);
  expect(periods.isPollDue()).toBe(false);
  await clock.advance(1);
  expect(periods.isPollDue()).toBe(true);
});

test("the loop wakes at least once in a second", () => {
  const { clock, periods, endRound } = setup();
  endRound();
  expect(periods.nextAt()).toBe(clock.monotonicMs() + 1_000);
});
