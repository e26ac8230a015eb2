import { expect, test } from "vitest";
import { columnsOf, rowsOf } from "./terminal.ts";

test.each([
  [undefined, 80],
  [0, 80],
  [1, 20],
  [60, 60],
])("a terminal that says %s columns is drawn with %i", (columns, drawn) => {
  expect(columnsOf({ columns })).toBe(drawn);
});

test("a terminal without a size has no known rows", () => {
  expect([{}, { rows: 0 }, { rows: 24 }].map(rowsOf)).toEqual([null, null, 24]);
});
