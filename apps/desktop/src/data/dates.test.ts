import { expect, test } from "vitest";
import { dateOf, laterDate, momentOf, startOfDay } from "./dates.ts";

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

test.each([
  ["2026-11-23", "UTC", "2026-11-23T00:00:00.000Z"],
  ["2026-11-23", "America/New_York", "2026-11-23T05:00:00.000Z"],
  ["2026-11-23", "Pacific/Kiritimati", "2026-11-22T10:00:00.000Z"],
  // on the day of a change, the offset at midnight counts
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z"],
  // the clocks of Beirut skip the first hour of this day
  ["2026-03-29", "Asia/Beirut", "2026-03-28T22:00:00.000Z"],
  ["2026-13-01", "UTC", null],
  ["today", "UTC", null],
])("%s in %s begins at %s", (date, zone, start) => {
  expect(iso(startOfDay(date, zone))).toBe(start);
});

test("each day ends where the next one begins", () => {
  for (const zone of [
    "Europe/Berlin",
    "America/New_York",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "America/Santiago",
    "America/Havana",
    "Atlantic/Azores",
    "UTC",
  ])
    for (let date = "2026-01-01"; date < "2027-01-01"; date = laterDate(date, 1)) {
      const start = startOfDay(date, zone)!;
      expect([dateOf(start, zone), dateOf(start - 1, zone)]).toEqual([date, laterDate(date, -1)]);
    }
});

test.each([
  ["2026-11-23T06:00", "UTC", "2026-11-23T06:00:00.000Z"],
  ["2026-11-23T06:00:07", "Asia/Tokyo", "2026-11-22T21:00:07.000Z"],
  ["2026-07-01T06:00", "Europe/Berlin", "2026-07-01T04:00:00.000Z"],
  // on the day of a change, the offset at the time counts
  ["2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00.000Z"],
  ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  // the clocks skip it
  ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ["2026-09-06T00:30", "America/Santiago", "2026-09-06T04:30:00.000Z"],
  ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z"],
  // the clocks repeat it: the first time
  ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ["", "UTC", null],
])("%s in %s is %s", (time, zone, moment) => {
  expect(iso(momentOf(time, zone))).toBe(moment);
});
