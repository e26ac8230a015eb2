import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { soon } from "./clock.ts";
import { createWake } from "./wake.ts";

const nextTurn = () => new Promise<void>((resolve) => soon(resolve));

test("nudges before the work begins are one, and one from within the work is another", async () => {
  let worked = 0;
  const { wake } = createWake(() => {
    worked++;
    if (worked === 2) wake();
  });
  for (let count = 0; count < 10; count++) wake();
  expect(worked).toBe(0);
  await until("the first work", () => worked === 1);
  await nextTurn();
  expect(worked).toBe(1);
  wake();
  await until("the work that woke itself", () => worked === 3);
});

test("after a stop nothing works, not even what was nudged before", async () => {
  let worked = 0;
  const { wake, stop } = createWake(() => void worked++);
  wake();
  stop();
  wake();
  await nextTurn();
  await nextTurn();
  expect(worked).toBe(0);
});
