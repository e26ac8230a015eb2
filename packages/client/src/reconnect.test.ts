import { expect, test } from "vitest";
import { backoffMs } from "./reconnect.ts";

const least = () => 0;
const most = () => 1;

test("the first wait is under half a second", () => {
  expect([backoffMs(1, least), backoffMs(1, most)]).toEqual([250, 500]);
});

test("each further wait is twice as long, until thirty seconds", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => backoffMs(failures, most));
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("half of each wait is random, so that clients do not come back in step", () => {
  expect([backoffMs(20, least), backoffMs(20, () => 0.5), backoffMs(20, most)]).toEqual([15_000, 22_500, 30_000]);
  expect(new Set(Array.from({ length: 20 }, () => backoffMs(3))).size).toBeGreaterThan(1);
});
