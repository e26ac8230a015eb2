import { expect, test } from "vitest";
import { readRange, withRange } from "./range-address.ts";

test("an address without a range shows a day that moves with time", () => {
  expect(readRange({})).toEqual({ span: "24h", until: null, isTable: false });
  expect(readRange({ span: "2y", until: "soon" })).toEqual({ span: "24h", until: null, isTable: false });
});

test("a change of the range is in the address, beside what else it says", () => {
  const changed = withRange({ why: "now" }, { span: "1h", until: 1_000.4 });
  expect(changed).toEqual({ why: "now", span: "1h", until: "1000" });
  expect(readRange(changed)).toEqual({ span: "1h", until: 1_000, isTable: false });
  expect(withRange(changed, { isTable: true })).toEqual({ why: "now", span: "1h", until: "1000", table: true });
  expect(withRange(changed, { until: null })).toEqual({ why: "now", span: "1h" });
});
