import { describe, expect, it } from "vitest";
import { parseInstant } from "../../../kernel/time/time.ts";
import { parseCron } from "./cron.ts";
import { cronOccurrences } from "./cron-occurrences.ts";
import { describeOccurrence } from "./describe-occurrence.ts";
import { localTimes } from "./local-times.ts";
import type { Zone } from "./zone.ts";

const minuteMs = 60_000;
const back = parseInstant("2026-10-25T01:00:00Z");
const at = (minutes: number): number => back + minutes * minuteMs;

/**
 * Clocks go from 03:00+02:00 back to 02:00+01:00. The rules of this zone are split in the middle of the hour before and
 * after that change.
 */
const pieces: Zone = {
  name: "Test/Pieces",
  spanAt: (instant) => {
    const [from, until] = [-9e6, -20, 0, 20, 9e6].map(at).flatMap((edge, index, edges) => {
      const next = edges[index + 1];
      return next !== undefined && edge <= instant && instant < next ? [edge, next] : [];
    }) as [number, number];
    return { from, until, offsetMs: (instant < back ? 120 : 60) * minuteMs };
  },
};

describe("a zone whose rules are read in pieces", () => {
  const cron = parseCron("*/10 2 * * *");
  const times = localTimes(cron);
  const first = cronOccurrences({
    times,
    isHourWild: false,
    zone: pieces,
    dst: { gap: "run_after", overlap: "first" },
  });
  const both = cronOccurrences({ times, isHourWild: false, zone: pieces, dst: { gap: "run_after", overlap: "both" } });
  const [from, until] = [at(-600), at(600)];

  it("still runs once for each local time of a repeated hour", () => {
    expect(first.count(from, until)).toBe(6);
    expect(first.last(from, until)).toBe(at(-10));
    expect(first.first(back, until)).toBeNull();
  });

  it("still runs in both segments under the overlap policy both", () => {
    expect(both.count(from, until)).toBe(12);
    expect(both.first(at(15), until)).toBe(at(20));
  });

  it("still reports the segment of each occurrence", () => {
    const notes = [-61, -60, -30, -10, 0, 10, 30, 59, 60].map(
      (minutes) => describeOccurrence(at(minutes), pieces, both).change?.note ?? null,
    );
    const [one, two] = ["overlap_first", "overlap_second"];
    expect(notes).toEqual([null, one, one, one, two, two, two, two, null]);
  });
});
