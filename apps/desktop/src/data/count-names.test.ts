import { expect, test } from "vitest";
import { countNames, join } from "./count-names.ts";

test.each([
  [[], false, null],
  [["CI"], false, "1 trigger (CI)"],
  [["CI", "Deploy"], false, "2 triggers (CI, Deploy)"],
  [["a", "b", "c"], false, "3 triggers (a, b, c)"],
  [["a", "b", "c", "d"], false, "4 triggers (a, b, c, …)"],
  [["a", "b"], true, "more than 2 triggers (a, b, …)"],
])("%j are counted and named", (names, isMore, text) => {
  expect(countNames(names, "trigger", isMore)).toBe(text);
});

test("parts of a sentence are joined", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(join)).toEqual(["", "a", "a and b", "a, b and c"]);
});
