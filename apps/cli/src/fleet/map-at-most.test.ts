import { expect, test } from "vitest";
import { mapAtMost } from "./map-at-most.ts";

test("at most so many calls run at a time, and the results are in order", async () => {
  const started: number[] = [];
  const ends = new Map<number, (result: string) => void>();
  const all = mapAtMost([0, 1, 2, 3, 4], 2, (item) => {
    started.push(item);
    return new Promise<string>((resolve) => ends.set(item, resolve));
  });
  expect(started).toEqual([0, 1]);
  for (const [item, next] of [
    [1, [0, 1, 2]],
    [2, [0, 1, 2, 3]],
    [0, [0, 1, 2, 3, 4]],
  ] as const) {
    ends.get(item)!(`result ${item}`);
    await Promise.resolve();
    await Promise.resolve();
    expect(started).toEqual(next);
  }
  for (const item of [4, 3]) ends.get(item)!(`result ${item}`);
  expect(await all).toEqual([0, 1, 2, 3, 4].map((item) => `result ${item}`));
  expect(await mapAtMost([], 8, () => Promise.resolve(1))).toEqual([]);
});
