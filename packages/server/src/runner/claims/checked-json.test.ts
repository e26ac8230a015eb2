import { expect, test } from "vitest";
import { formatChecked, parseChecked } from "./checked-json.ts";

const value = { runner: { id: "r1", pid: 1_234 }, note: 'ä "quoted" 😀', none: null };

test("a value with a check is read as it was written, and one of a former version without", () => {
  expect(parseChecked(formatChecked(value))).toEqual(value);
  expect(parseChecked(JSON.stringify(value))).toEqual(value);
});

test("a cut, empty or changed text is not a value", () => {
  const text = formatChecked(value);
  for (let length = 0; length < text.length; length++) expect(parseChecked(text.slice(0, length))).toBeNull();
  expect(parseChecked(text.replace("1234", "1235"))).toBeNull();
  for (const other of ["null", "7", '"text"', "\0".repeat(100)]) expect(parseChecked(other)).toBeNull();
});
