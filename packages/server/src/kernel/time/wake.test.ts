import { expect, test } from "vitest";
import { soon } from "./clock.ts";
import { createWake } from "./wake.ts";

const nextTurn = () => new Promise<void>((resolve) => soon(resolve));

test("several wakes before the work count as one, and a wake during the work begins the work again", async () => {
  let worked = 0;
  const { wake } = createWake(() => {
    worked++;
    if (worked === 2) wake();
  });
  for (let count = 0; count < 10; count++) wake();
  expect(worked).toBe(0);
  await nextTurn();
  expect(worked).toBe(1);
  await nextTurn();
  expect(worked).toBe(1);
  wake();
  await nextTurn();
  expect(worked).toBe(2);
  await nextTurn();
  expect(worked).toBe(3);
});

test("after a stop no work begins, even if it was woken before", async () => {
  let worked = 0;
  const { wake, stop } = createWake(() => void worked++);
  wake();
  stop();
  wake();
  await nextTurn();
  await nextTurn();
  expect(worked).toBe(0);
});
