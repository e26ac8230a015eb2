import { expect, test } from "vitest";
import { estimateHeight } from "./row-height.ts";
import type { TimelineRow } from "./rows.ts";

const hours = (count: number) =>
  Array.from({ length: count }, (_, hour) => ({ at: new Date(hour * 3_600_000).toISOString() }));
const row = (past: unknown, future: unknown) => ({ is: "row", row: { past, future } as TimelineRow }) as const;
const none = row({ kind: "runs", runs: [] }, { kind: "times", times: [] });
const hourly = row({ kind: "runs", runs: [] }, { kind: "times", times: hours(20) });
const failing = row(
  { kind: "buckets", runs: [], buckets: Array.from({ length: 9 }, () => ({ worst: "failed", count: 1 })) },
  { kind: "times", times: [] },
);
const wide = { width: 1_280, isNarrow: false };

test("a row is expected to be higher the more its texts say, and the less space they have", () => {
  for (const more of [hourly, failing]) {
    expect(estimateHeight(more, wide)).toBeGreaterThan(estimateHeight(none, wide));
    expect(estimateHeight(more, { width: 700, isNarrow: false })).toBeGreaterThan(estimateHeight(more, wide));
    expect(estimateHeight(more, { width: 360, isNarrow: true })).toBeGreaterThan(estimateHeight(more, wide));
  }
});

test("texts of many runs or times are expected to be cut as they are", () => {
  const runs = (count: number) =>
    row({ kind: "runs", runs: Array.from({ length: count }, () => ({})) }, { kind: "times", times: hours(count) });
  expect(estimateHeight(runs(200), wide)).toBe(estimateHeight(runs(21), wide));
});
