import { afterAll, beforeAll, expect, test } from "vitest";
import { type Direction, readTime } from "./time.ts";

const zone = process.env["TZ"];
beforeAll(() => void (process.env["TZ"] = "Europe/Berlin"));
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

// 14:00 in Berlin
const nowMs = Date.parse("2026-11-21T13:00:00Z");

const rows: readonly (readonly [text: string, direction: Direction, instant: string])[] = [
  ["now", "past", "2026-11-21T13:00:00.000Z"],
  ["2h", "past", "2026-11-21T11:00:00.000Z"],
  ["2h", "future", "2026-11-21T15:00:00.000Z"],
  ["in 2h", "past", "2026-11-21T15:00:00.000Z"],
  ["+90s", "past", "2026-11-21T13:01:30.000Z"],
  ["1.5h ago", "future", "2026-11-21T11:30:00.000Z"],
  ["-1d", "future", "2026-11-20T13:00:00.000Z"],
  ["2026-12-01T03:00:00Z", "future", "2026-12-01T03:00:00.000Z"],
  ["2026-12-01 03:00:00 +01:00", "future", "2026-12-01T02:00:00.000Z"],
  ["2026-12-01 03:00", "future", "2026-12-01T02:00:00.000Z"],
  ["2026-07-01T03:00:30", "future", "2026-07-01T01:00:30.000Z"],
  ["2026-12-01", "future", "2026-11-30T23:00:00.000Z"],
  ["03:00", "future", "2026-11-22T02:00:00.000Z"],
  ["03:00", "past", "2026-11-21T02:00:00.000Z"],
  ["15:30", "future", "2026-11-21T14:30:00.000Z"],
  ["15:30", "past", "2026-11-20T14:30:00.000Z"],
  ["today", "past", "2026-11-20T23:00:00.000Z"],
  ["yesterday", "past", "2026-11-19T23:00:00.000Z"],
  ["8am", "future", "2026-11-22T07:00:00.000Z"],
  ["8 AM", "past", "2026-11-21T07:00:00.000Z"],
  ["8:30pm", "future", "2026-11-21T19:30:00.000Z"],
  ["12am", "future", "2026-11-21T23:00:00.000Z"],
  ["tomorrow 6am", "future", "2026-11-22T05:00:00.000Z"],
  ["in 1h30m", "past", "2026-11-21T14:30:00.000Z"],
  ["2 hours ago", "future", "2026-11-21T11:00:00.000Z"],
  ["in 5 min", "past", "2026-11-21T13:05:00.000Z"],
  ["tomorrow 08:00", "future", "2026-11-22T07:00:00.000Z"],
];
test.each(rows)("%j, in the %s, is %s", (text, direction, instant) => {
  expect(readTime(text, { nowMs, direction, option: "--at" })).toBe(instant);
});

test.each(["9999-12-31T23:59:59-12:00", "1969-12-31T23:59:59Z", "36525d ago"])(
  "%j is outside the years that the API accepts",
  (text) => {
    expect(() => readTime(text, { nowMs, direction: "future", option: "--at" })).toThrow(
      "--at must be in the years 1970 to 9999",
    );
  },
);

test.each([
  "",
  "soon",
  "25:00",
  "2026-13-01",
  "2026-02-31",
  "2026-03-29 02:30",
  "2h3",
  "tomorrow at 8",
  "8",
  "tomorrow 8",
  "13pm",
  "0am",
])("%j is rejected with examples", (text) => {
  expect(() => readTime(text, { nowMs, direction: "future", option: "--at" })).toThrow(
    /cannot parse ".*" as a time for --at/,
  );
});
