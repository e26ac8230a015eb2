import { expect, test } from "vitest";
import { amountOf, numberBetween } from "./amounts.ts";

test.each([
  [{ minimum: 0, maximum: 1 }, "at most 1 item"],
  [{ minimum: 0, maximum: 2 }, "at most 2 items"],
  [{ minimum: 1, maximum: Infinity }, "at least 1 item"],
  [{ minimum: 2, maximum: Infinity }, "at least 2 items"],
  [{ minimum: 1, maximum: 1 }, "exactly 1 item"],
  [{ minimum: 1, maximum: 99 }, "1 to 99 items"],
])("an amount and its unit agree: %j is %s", (bounds, text) => {
  expect(amountOf("item", bounds)).toBe(text);
});

test.each([
  [{ minimum: 1, maximum: 99 }, "a number from 1 to 99"],
  [{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "a number of at least 0"],
  [{ minimum: -Infinity, maximum: 5 }, "a number of at most 5"],
  [{ minimum: -Infinity, maximum: Infinity }, "a number"],
])("the text of the bounds %j is %s", (bounds, text) => {
  expect(numberBetween("a number", bounds)).toBe(text);
});
