import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createTokenBuckets } from "./token-buckets.ts";

const rate = { perSecond: 2, burst: 4 };

test("a bucket holds its burst, and fills continuously up to it", async () => {
  const clock = new ManualClock();
  const buckets = createTokenBuckets(clock);
  const takes = (count: number) => Array.from({ length: count }, () => buckets.take("a", rate));
  expect(takes(5)).toEqual([true, true, true, true, false]);
  await clock.advance(500);
  expect(takes(2)).toEqual([true, false]);
  // refused requests do not delay the next token
  await clock.advance(250);
  expect(takes(1)).toEqual([false]);
  await clock.advance(250);
  expect(takes(1)).toEqual([true]);
  await clock.advance(3_600_000);
  expect(takes(5)).toEqual([true, true, true, true, false]);
});

test("keys do not share a bucket", () => {
  const buckets = createTokenBuckets(new ManualClock());
  expect(["a", "b"].map((key) => buckets.take(key, { perSecond: 1, burst: 1 }))).toEqual([true, true]);
});

test("setting the clock neither fills nor empties a bucket", () => {
  const clock = new ManualClock();
  const buckets = createTokenBuckets(clock);
  for (let taken = 0; taken < 4; taken++) buckets.take("a", rate);
  clock.jump(3_600_000);
  expect(buckets.take("a", rate)).toBe(false);
  clock.jump(-7_200_000);
  expect(buckets.take("a", rate)).toBe(false);
});

test("beyond the maximum, the bucket that was unused for longest is forgotten", () => {
  const buckets = createTokenBuckets(new ManualClock(), 2);
  const once = { perSecond: 0.001, burst: 1 };
  expect(["a", "b", "a", "c"].map((key) => buckets.take(key, once))).toEqual([true, true, false, true]);
  expect(buckets.size()).toBe(2);
  // a was used after b
  expect([buckets.take("a", once), buckets.take("b", once)]).toEqual([false, true]);
});
