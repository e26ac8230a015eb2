import { expect, test } from "vitest";
import { daysFrom } from "./month-days.ts";

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
