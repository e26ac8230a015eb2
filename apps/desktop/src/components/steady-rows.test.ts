import { expect, test } from "vitest";
import { keepRows } from "./steady-rows.ts";

const place = (next: string, shown: string, options: { mayAppend?: boolean; isCut?: boolean } = {}) => {
  const { rows, waiting, gone } = keepRows([...next], [...shown], {
    idOf: (row) => row,
    mayAppend: options.mayAppend ?? true,
    isCut: options.isCut ?? false,
  });
  return { rows: rows.join(""), waiting, gone: [...gone].join("") };
};

test("rows that went away keep their place, and new ones wait", () => {
  expect(place("xac", "abc")).toEqual({ rows: "abc", waiting: 1, gone: "b" });
  expect(place("", "ab")).toEqual({ rows: "ab", waiting: 0, gone: "ab" });
  expect(place("x", "ab")).toEqual({ rows: "ab", waiting: 1, gone: "ab" });
});

test("rows in another order stay where they are", () => {
  expect(place("cab", "abc")).toEqual({ rows: "abc", waiting: 0, gone: "" });
});

test("rows after the last one that is shown move nothing, so they come, unless the height is kept", () => {
  expect(place("xabyz", "ab")).toEqual({ rows: "abyz", waiting: 1, gone: "" });
  expect(place("a", "")).toEqual({ rows: "a", waiting: 0, gone: "" });
  expect(place("xabyz", "ab", { mayAppend: false })).toEqual({ rows: "ab", waiting: 3, gone: "" });
  expect(place("a", "", { mayAppend: false })).toEqual({ rows: "", waiting: 1, gone: "" });
});

test("rows that new ones push out of what was read are not said to be gone", () => {
  expect(place("xab", "abc", { isCut: true })).toEqual({ rows: "abc", waiting: 1, gone: "" });
  expect(place("xac", "abcd", { isCut: true })).toEqual({ rows: "abcd", waiting: 1, gone: "b" });
  expect(place("abd", "abc", { isCut: true })).toEqual({ rows: "abcd", waiting: 0, gone: "c" });
});
