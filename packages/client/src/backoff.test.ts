import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

const least = () => 0;
const most = () => 1;

test("the first delay is at most half a second", () => {
  expect([backoffMs(1, least), backoffMs(1, most)]).toEqual([250, 500]);
});

test("each further delay doubles, to at most thirty seconds", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => backoffMs(failures, most));
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("half of each delay is random, so that clients do not reconnect together", () => {
  expect([backoffMs(20, least), backoffMs(20, () => 0.5), backoffMs(20, most)]).toEqual([15_000, 22_500, 30_000]);
  expect(new Set(Array.from({ length: 20 }, () => backoffMs(3))).size).toBeGreaterThan(1);
});
