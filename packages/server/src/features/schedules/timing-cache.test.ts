import { describe, expect, test } from "vitest";
import { parseInstant } from "../../kernel/time/time.ts";
import { createTimings, dueOf, type TimingColumns } from "./timing-cache.ts";

const daily: TimingColumns = {
  kind: "cron",
  expression: "0 3 * * *",
  everyMs: null,
  at: null,
  dstGap: "run_after",
  dstOverlap: "first",
  startsAt: null,
  endsAt: null,
  anchorAt: 0,
  cursorAt: 0,
  createdAt: 0,
};

describe("compiled timings", () => {
  test("are shared by schedules with equal timings, and by no others", () => {
    const timings = createTimings();
    expect(timings.of({ ...daily }, "UTC")).toBe(timings.of({ ...daily, anchorAt: 5 }, "UTC"));
    expect(timings.of(daily, "Europe/Berlin")).not.toBe(timings.of(daily, "UTC"));
    expect(timings.of({ ...daily, dstGap: "skip" }, "UTC")).not.toBe(timings.of(daily, "UTC"));
  });

  test("of a boot schedule have no scheduled time", () => {
    expect(
      createTimings()
        .of({ ...daily, kind: "boot" }, "UTC")
        .next(-1),
    ).toBeNull();
  });

  test("end with the last year that RFC 3339 can write", () => {
    const timing = createTimings().of(daily, "UTC");
    expect(timing.next(parseInstant("9999-12-31T00:00:00Z"))).toBe(parseInstant("9999-12-31T03:00:00Z"));
    expect(timing.next(parseInstant("9999-12-31T03:00:00Z"))).toBeNull();
  });
});

describe("jitter", () => {
  const dues = (id: string) =>
    Array.from({ length: 10_000 }, (_, at) => dueOf({ id, jitterMs: 99, spreadMs: 0 }, at) - at);

  test("is spread evenly from 0 to its length, including both", () => {
    const counts = Array.from({ length: 100 }, () => 0);
    for (const due of dues("sch_1")) counts[due]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect(Math.max(...counts)).toBeLessThan(150);
  });

  test("depends on the schedule and the instant only", () => {
    expect(dues("sch_1")).toEqual(dues("sch_1"));
    expect(dues("sch_1")).not.toEqual(dues("sch_2"));
    expect(dueOf({ id: "sch_1", jitterMs: 0, spreadMs: 0 }, 7)).toBe(7);
    expect(dueOf({ id: "sch_1", jitterMs: 0, spreadMs: 5 }, 7)).toBe(12);
  });
});
