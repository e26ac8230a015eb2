import { expect, test } from "vitest";
import { readDuration } from "./duration.ts";

test.each([
  ["90s", 90_000],
  ["1h30m", 5_400_000],
  ["1h 30min", 5_400_000],
  ["5min", 300_000],
  ["2 hours", 7_200_000],
  ["1 day 12 hours", 129_600_000],
  ["1.5h", 5_400_000],
  ["250 ms", 250],
  ["2 weeks", 1_209_600_000],
  [" 10 Minutes ", 600_000],
  ["0s", 0],
])("%j is %d ms", (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test.each(["", "5", "m", "5 5m", "1h30", "1m1m", "1 month", "-5m", "1h, 30m", "99999999d"])(
  "%j is no duration",
  (text) => {
    expect(readDuration(text)).toBeNull();
  },
);
