import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { createClockWatch } from "./clock-watch.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

describe("the clock watch", () => {
  test("sees no jump while both clocks advance together, or differ by a network's usual correction", async () => {
    const clock = new ManualClock();
    const watch = createClockWatch(clock);
    await clock.advance(30_000);
    clock.jump(-2_000);
    expect([watch.look(), watch.awakeSince]).toEqual([0, start]);
  });

  test("restarts the awake time at the look that notices a sleep of the machine", async () => {
    const clock = new ManualClock();
    const watch = createClockWatch(clock);
    await clock.advance(10_000);
    clock.jump(3_600_000);
    await clock.advance(5_000);
    expect(watch.look()).toBe(3_600_000);
    expect(watch.awakeSince).toBe(clock.now());
    expect(watch.look()).toBe(0);
  });

  test("keeps the length of the awake time when the clock is set back", async () => {
    const clock = new ManualClock();
    const watch = createClockWatch(clock);
    await clock.advance(60_000);
    clock.jump(-3_600_000);
    expect(watch.look()).toBe(-3_600_000);
    expect(watch.awakeSince).toBe(start - 3_600_000);
    expect(clock.now() - watch.awakeSince).toBe(60_000);
  });
});
