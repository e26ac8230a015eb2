import { expect, test } from "vitest";
import { clockChangesOf, scaleOf, ticksOf, timeAt, xOf } from "./axis.ts";

const berlin = "Europe/Berlin";
const hour = 3_600_000;

test("a place on the axis and its time are each other's inverse", () => {
  const axis = { from: 1_000, until: 5_000, width: 800 };
  expect(xOf(3_000, axis)).toBe(400);
  expect(timeAt(xOf(4_321, axis), axis)).toBeCloseTo(4_321);
});

test("ticks stand at round times of the zone, on both sides of a clock change", () => {
  // clocks go forward on 29 March 2026 at 01:00 UTC
  const from = Date.UTC(2026, 2, 28, 20);
  const ticks = ticksOf({ from, until: from + 24 * hour, width: 900 }, berlin);
  expect(ticks.map(({ label }) => label)).toContain("Sun 29 Mar");
  expect(ticks.filter(({ isDay }) => isDay)).toHaveLength(1);
  for (const { label, isDay } of ticks)
    if (!isDay) expect(label).toMatch(/^(00|02|03|04|06|08|09|10|12|14|15|16|18|20|21|22):00$/);
});

test.each([200, 320, 900, 3_000])("ticks have room for their labels at %d pixels", (width) => {
  for (const span of [hour, 6 * hour, 24 * hour, 7 * 24 * hour]) {
    const from = Date.UTC(2026, 10, 23, 3, 17);
    const axis = { from, until: from + span, width };
    const places = ticksOf(axis, "Asia/Kolkata").map(({ at }) => xOf(at, axis));
    const apart = places.slice(1).map((place, index) => place - places[index]!);
    expect(Math.min(Number.POSITIVE_INFINITY, ...apart)).toBeGreaterThan(50);
  }
});

test("changes of the clocks are found to the minute", () => {
  const from = Date.UTC(2026, 9, 24);
  expect(clockChangesOf({ from, until: from + 48 * hour, width: 1 }, berlin)).toEqual([
    { at: Date.UTC(2026, 9, 25, 1), label: "−1 h", text: "The clocks go back by 1 h" },
  ]);
  expect(clockChangesOf({ from, until: from + 48 * hour, width: 1 }, "UTC")).toEqual([]);
  const spring = Date.UTC(2026, 9, 3);
  expect(clockChangesOf({ from: spring, until: spring + 48 * hour, width: 1 }, "Australia/Lord_Howe")).toEqual([
    { at: Date.UTC(2026, 9, 3, 15, 30), label: "+30 min", text: "The clocks go forward by 30 min" },
  ]);
});

test.each([180, 360, 828, 2_400])(
  "labels stand whole and apart, and a day keeps its name where there is room, at %d pixels",
  (width) => {
    for (const span of [hour, 6 * hour, 24 * hour, 7 * 24 * hour])
      for (let shift = 0; shift < 24; shift += 1) {
        const from = Date.UTC(2026, 10, 22, shift, 7);
        const axis = { from, until: from + span, width };
        const nowX = 0.75 * width;
        const { labels, ticks } = scaleOf(axis, berlin, nowX);
        const places = labels.map(({ x, isDay }) => {
          const half = isDay ? (width < 400 ? 24 : 36) : 18;
          return [x - half, x + half] as const;
        });
        const all = [...places, [nowX - 20, nowX + 20] as const].toSorted((a, b) => a[0] - b[0]);
        for (const [left, right] of places) expect(left >= 0 && right <= width).toBe(true);
        for (const [index, [left]] of all.entries())
          if (index > 0) expect(left).toBeGreaterThanOrEqual(all[index - 1]![1]);
        const days = ticks.filter(({ isDay }) => isDay);
        if (span === 24 * hour && width > 400)
          expect(labels.filter(({ isDay }) => isDay).map(({ label }) => label)).toEqual(days.map(({ label }) => label));
      }
  },
);

test.each([
  { width: 328, what: "without names", min: 3 },
  { width: 203, what: "beside names", min: 2 },
])("on a phone, $min labels stand beside now, $what", ({ width, min }) => {
  for (const span of width === 328 ? [hour, 6 * hour, 24 * hour, 7 * 24 * hour] : [24 * hour, 7 * 24 * hour])
    for (let shift = 0; shift < 24 * 4; shift += 1) {
      const from = Date.UTC(2026, 10, 22, 0, 15 * shift + 7);
      const { labels } = scaleOf({ from, until: from + span, width }, berlin, 0.75 * width);
      expect(labels.length, `${span / hour} h from ${shift}`).toBeGreaterThanOrEqual(min);
    }
});

test("a change of the clocks has a label of its own, which no hour covers", () => {
  const from = Date.UTC(2026, 9, 24, 20, 7);
  const nowX = 700;
  const { labels, changes } = scaleOf({ from, until: from + 24 * hour, width: 900 }, berlin, nowX);
  expect(changes).toMatchObject([{ label: "−1 h", text: "The clocks go back by 1 h" }]);
  for (const { x, isDay } of labels) expect(Math.abs(x - changes[0]!.x)).toBeGreaterThanOrEqual((isDay ? 36 : 18) + 24);
  expect(labels.length).toBeGreaterThan(6);
});

test.each([0, 3, 195, 203])(
  "the label of now stands whole, and apart from the others, with now at %d of 203 pixels",
  (nowX) => {
    const from = Date.UTC(2026, 10, 22, 6, 7);
    const scale = scaleOf({ from, until: from + 20 * 60_000, width: 203 }, berlin, nowX);
    expect(scale.nowX).toBeGreaterThanOrEqual(20);
    expect(scale.nowX).toBeLessThanOrEqual(183);
    for (const { x, isDay } of scale.labels)
      expect(Math.abs(x - scale.nowX!)).toBeGreaterThanOrEqual(20 + (isDay ? 24 : 18));
  },
);

test("where now is not in the picture, it has no label", () => {
  const from = Date.UTC(2026, 10, 22, 6, 7);
  const axis = { from, until: from + hour, width: 328 };
  for (const nowX of [-1, 329]) expect(scaleOf(axis, berlin, nowX).nowX).toBeNull();
});
