import { expect, test } from "vitest";
import { count, formatBytes, formatDuration, formatRelative, formatTime, isZone, offsetMinutes } from "./words.ts";

test.each([
  [0, "0ms"],
  [999, "999ms"],
  [1_000, "1s"],
  [9_990, "9.9s"],
  [59_999, "59s"],
  [64_000, "1m 4s"],
  [3_600_000, "1h"],
  [90_061_000, "1d 1h"],
])("a length of %d ms reads %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, "0 B"],
  [1_023, "1023 B"],
  [1_536, "1.5 MiB".replace("M", "K")],
  [5 * 1_024 ** 3, "5 GiB"],
])("%d bytes read %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("a relative time names its largest unit, and its side of now", () => {
  expect(formatRelative(0, 500)).toBe("now");
  expect(formatRelative(0, 65_000)).toBe("1m ago");
  expect(formatRelative(7_200_000, 0)).toBe("in 2h");
});

test("numbers agree with their nouns", () => {
  expect(count(1, "task")).toBe("1 task");
  expect(count(2_000, "retry", "retries")).toBe("2,000 retries");
});

test("times are written in the zone that is asked for", () => {
  expect(formatTime(Date.UTC(2026, 10, 23, 5), "Europe/Berlin")).toMatch(
    /^Mon,? 23 Nov 2026(,| at) 06:00:00 (CET|GMT\+1)$/,
  );
  expect(offsetMinutes(Date.UTC(2026, 6, 1), "Europe/Berlin")).toBe(120);
  expect(offsetMinutes(Date.UTC(2026, 6, 1), "America/St_Johns")).toBe(-150);
  expect(offsetMinutes(0, "UTC")).toBe(0);
});

test("a zone is one that the browser knows", () => {
  expect([isZone("Europe/Berlin"), isZone("Mars/Olympus")]).toEqual([true, false]);
});
