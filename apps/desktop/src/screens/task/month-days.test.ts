import { expect, test } from "vitest";
import { countIn, daysFrom } from "./month-days.ts";

const hour = 3_600_000;

test("days begin on the Monday of this week, and are whole days of the zone", () => {
  // a Wednesday in Tokyo that is still Tuesday in UTC
  const days = daysFrom(Date.UTC(2026, 10, 24, 20), "Asia/Tokyo", 35);
  expect(days[0]).toMatchObject({ from: Date.UTC(2026, 10, 22, 15), isPast: true });
  expect(days.map(({ isPast }) => isPast).indexOf(false)).toBe(2);
  for (const { from, until } of days) expect(until - from).toBe(24 * hour);
});

test("a day in which clocks change is an hour shorter or longer, and no time is between two days", () => {
  const days = daysFrom(Date.UTC(2026, 9, 20), "Europe/Berlin", 14);
  const lengths = days.map(({ from, until }) => (until - from) / hour);
  expect(lengths.filter((length) => length !== 24)).toEqual([25]);
  for (const [index, { from }] of days.entries()) if (index > 0) expect(from).toBe(days[index - 1]!.until);
});

test.each(["America/Santiago", "America/Havana", "Atlantic/Azores"])(
  "a day in %s begins at 01:00 where the clocks skip its midnight, and each day is there once",
  (zone) => {
    for (const now of [Date.UTC(2026, 2, 2, 12), Date.UTC(2026, 7, 31, 12)]) {
      const days = daysFrom(now, zone, 35);
      expect(new Set(days.map(({ label }) => label)).size).toBe(35);
      expect(days.every(({ from, until }) => until - from >= 23 * hour)).toBe(true);
    }
  },
);

test("times that were counted together are shared among the days that they reach into", () => {
  const days = [0, 1, 2].map((day) => ({ from: day * 24 * hour, until: (day + 1) * 24 * hour }));
  const whole = { from: 0, until: 24 * hour, count: 1_440 };
  const across = { from: 24 * hour, until: 72 * hour, count: 96 };
  expect(days.map((day) => countIn(day, [whole, across]))).toEqual([
    { count: 1_440, isExact: true },
    { count: 48, isExact: false },
    { count: 48, isExact: false },
  ]);
  expect(countIn(days[2]!, [whole])).toEqual({ count: 0, isExact: true });
});
