import { expect, test } from "vitest";
import { asked, move, spans, viewOf } from "./range.ts";

const now = Date.UTC(2026, 10, 23, 6);

test("a live range moves with time, and a moved one stays", () => {
  const live = { span: spans["24h"], until: null };
  expect(viewOf(live, now).until).toBe(now + spans["6h"]);
  expect(viewOf(live, now + 1_000).until).toBe(now + spans["6h"] + 1_000);
  const moved = move(live, -spans["24h"], now);
  expect(viewOf(moved, now + 1_000)).toEqual(viewOf(moved, now));
  expect(move(moved, spans["24h"], now).until).toBeNull();
});

test.each(Object.values(spans))(
  "what is asked for covers what is looked at, and half of it on each side, for %d ms",
  (span) => {
    const view = viewOf({ span, until: null }, now);
    const { from, until } = asked(view);
    expect(Date.parse(from)).toBeLessThanOrEqual(view.from - span / 2);
    expect(Date.parse(until)).toBeGreaterThanOrEqual(view.until + span / 2);
    expect(Date.parse(until) - Date.parse(from)).toBeLessThanOrEqual(31 * spans["24h"]);
  },
);

test("what is asked for changes far less often than the clock", () => {
  const questions = new Set(
    Array.from(
      { length: 600 },
      (_, second) => asked(viewOf({ span: spans["1h"], until: null }, now + second * 1_000)).from,
    ),
  );
  expect(questions.size).toBeLessThanOrEqual(6);
});
