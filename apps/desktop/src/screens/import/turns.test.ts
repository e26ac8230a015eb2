import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("only so many works are begun at once, in their order, also after one of them fails", async () => {
  const take = createTurns(2);
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map((number) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const done = take(() => {
      begun.push(number);
      return promise;
    }, new AbortController().signal);
    return { done, resolve, reject };
  });
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  works[1]!.reject(new Error("refused"));
  await expect(works[1]!.done).rejects.toThrow("refused");
  expect(begun).toEqual([0, 1, 2]);
  works[0]!.resolve(10);
  expect(await works[0]!.done).toBe(10);
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const { resolve } of works) resolve(20);
  expect(await Promise.all(works.slice(2).map(({ done }) => done))).toEqual([20, 20]);
});

test("what is not wanted any more while it waits is never begun", async () => {
  const take = createTurns(1);
  const first = Promise.withResolvers<void>();
  const running = take(() => first.promise, new AbortController().signal);
  const begun: string[] = [];
  const leaving = new AbortController();
  const left = take(() => Promise.resolve(begun.push("left")), leaving.signal);
  const last = take(() => Promise.resolve(begun.push("last")), new AbortController().signal);
  leaving.abort();
  await expect(left).rejects.toBe(leaving.signal.reason);
  first.resolve();
  await Promise.all([running, last]);
  await expect(take(() => Promise.resolve(begun.push("late")), leaving.signal)).rejects.toBe(leaving.signal.reason);
  expect(begun).toEqual(["last"]);
});
