import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { durationMaxMs, formatDuration, parseDuration } from "./duration.ts";
import { Duration } from "./scalars.ts";

describe("a duration is read", () => {
  test.each([
    ["250ms", 250],
    ["2s", 2_000],
    ["1m", 60_000],
    ["1.5s", 1_500],
    ["0.25h", 900_000],
    ["90d", 7_776_000_000],
    ["0s", 0],
    ["007s", 7_000],
    ["36525d", durationMaxMs],
  ])("%s as %i ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    ["0.4ms", 0],
    ["0.5ms", 1],
    ["1.0004s", 1_000],
  ])("%s to the nearest whole millisecond, %i", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    "",
    "5",
    "s",
    "5 s",
    " 5s",
    "5s ",
    "5s\n",
    "-5s",
    "+5s",
    "5S",
    "5w",
    "1e3s",
    ".5s",
    "5.s",
    "1h30m",
    "٥s",
    "Infinitys",
  ])("but not %j", (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  test("but not over a hundred years", () => {
    expect(parseDuration("36526d")).toBeNull();
    expect(parseDuration("999999999999999d")).toBeNull();
  });
});

describe("a duration is written", () => {
  test.each([
    [0, "0s"],
    [1, "1ms"],
    [1_500, "1500ms"],
    [90_000, "90s"],
    [60_000, "1m"],
    [3_600_000, "1h"],
    [5_400_000, "90m"],
    [86_400_000, "1d"],
    [durationMaxMs, "36525d"],
  ])("%i ms as %s, in the largest unit that keeps it whole", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

const wholeMs = fc.oneof(
  fc.integer({ min: 0, max: durationMaxMs }),
  fc
    .tuple(fc.integer({ min: 0, max: 1_000 }), fc.constantFrom(1_000, 60_000, 3_600_000, 86_400_000))
    .map(([n, ms]) => n * ms),
);

test("a written duration is read back unchanged, and the contract accepts it", () => {
  fc.assert(
    fc.property(wholeMs, (ms) => {
      const text = formatDuration(ms);
      expect(parseDuration(text)).toBe(ms);
      expect(Duration.safeParse(text).success).toBe(true);
    }),
  );
});

test("a duration is written in one form, whichever form was sent", () => {
  fc.assert(
    fc.property(wholeMs, fc.constantFrom("", ".0", ".000"), (ms, zeros) => {
      const [, number = "", unit = ""] = /^(\d+)([a-z]+)$/.exec(formatDuration(ms)) ?? [];
      expect(formatDuration(parseDuration(`0${number}${zeros}${unit}`) ?? Number.NaN)).toBe(formatDuration(ms));
      expect(formatDuration(parseDuration(`${ms}ms`) ?? Number.NaN)).toBe(formatDuration(ms));
    }),
  );
});

test("a text is read if and only if the contract accepts it, up to and including a hundred years", () => {
  const almostDurations = fc.stringMatching(/^[0-9. -]{0,18}(ms|s|m|h|d|w|)$/);
  const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  fc.assert(
    fc.property(almostDurations, (text) => {
      const isOfTheContract = Duration.safeParse(text).success;
      const ms = Math.round(Number.parseFloat(text) * (unitMs[/[a-z]*$/.exec(text)?.[0] ?? ""] ?? Number.NaN));
      expect(parseDuration(text)).toBe(isOfTheContract && ms <= durationMaxMs ? ms : null);
    }),
    { numRuns: 1_000 },
  );
});
