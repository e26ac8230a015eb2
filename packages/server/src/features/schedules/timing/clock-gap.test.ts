import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "../../../kernel/time/time.ts";
import { localsMax } from "./clock-gap.ts";
import { compileTiming, type CompiledTiming } from "./compile-timing.ts";
import type { DstPolicy } from "./dst.ts";

const minuteMs = 60_000;

function cron(expression: string, zone: string, gap: DstPolicy["gap"] = "run_after"): CompiledTiming {
  const bounds = { zone, startsAt: null, endsAt: null };
  return compileTiming({ kind: "cron", expression, dst: { gap, overlap: "first" }, ...bounds });
}

/**
 * Describes each gap of a year: its time and length in minutes, the skipped local times of the schedule, and when they
 * run instead.
 */
function describeGaps(timing: CompiledTiming, year: number): string[] {
  const gaps = timing.gaps(Date.UTC(year, 0), Date.UTC(year + 1, 0), 10);
  return gaps.map(({ at, lengthMs, locals, runsAt }) => {
    expect(runsAt === null || runsAt === at).toBe(true);
    const times = locals.map((local) => local.slice(8, 16).replace("T", " "));
    const fate = runsAt === null ? "no run" : "run at the end";
    return `${formatInstant(at).slice(5, 16)} ${lengthMs / minuteMs}m: ${times.join(", ")}: ${fate}`;
  });
}

describe("local times that clocks skip", () => {
  it.each([
    ["30 2 * * *", "America/New_York", "run_after", 2026, ["03-08T07:00 60m: 08 02:30: run at the end"]],
    ["30 2 * * *", "America/New_York", "skip", 2026, ["03-08T07:00 60m: 08 02:30: no run"]],
    ["0 */2 * * *", "America/New_York", "run_after", 2026, ["03-08T07:00 60m: 08 02:00: no run"]],
    ["0 */12 * * *", "America/New_York", "run_after", 2026, []],
    ["0 3 * * *", "America/New_York", "run_after", 2026, []],
    ["30 2 * * 1", "America/New_York", "run_after", 2026, []],
    ["*/20 * * * *", "Australia/Lord_Howe", "run_after", 2026, ["10-03T15:30 30m: 04 02:00, 04 02:20: no run"]],
    ["15 2 * * *", "Australia/Lord_Howe", "run_after", 2026, ["10-03T15:30 30m: 04 02:15: run at the end"]],
    ["0 */12 * * *", "Pacific/Apia", "skip", 2011, ["12-30T10:00 1440m: 30 00:00, 30 12:00: no run"]],
    ["0 6 * * *", "Pacific/Apia", "run_after", 2011, ["12-30T10:00 1440m: 30 06:00: run at the end"]],
    ["@daily", "America/Havana", "run_after", 2026, ["03-08T05:00 60m: 08 00:00: run at the end"]],
    ["0 0 29 2 *", "America/New_York", "run_after", 2028, []],
    ["30 2 * * *", "Asia/Tokyo", "run_after", 2026, []],
    ["30 0,1,2 * * *", "Africa/Casablanca", "skip", 2026, ["03-22T02:00 60m: 22 02:30: no run"]],
  ] as const)("of %s in %s (%s), %i", (expression, zone, policy, year, expected) => {
    expect(describeGaps(cron(expression, zone, policy), year)).toEqual(expected);
  });

  it("are only counted if they are too many to list", () => {
    const [gap] = cron("* * * * * *", "America/New_York").gaps(Date.UTC(2026, 0), Date.UTC(2027, 0), 1);
    expect([gap!.locals.length, gap!.localCount]).toEqual([localsMax, 3_600]);
  });

  it("are found in a range that begins and ends with the change", () => {
    const timing = cron("30 2 * * *", "America/New_York");
    const change = parseInstant("2026-03-08T07:00:00Z");
    expect(timing.gaps(change - 1, change, 5)).toHaveLength(1);
    expect(timing.gaps(change, change + 1, 5)).toEqual([]);
    expect(timing.gaps(change - 2, change - 1, 5)).toEqual([]);
  });

  it("are found for a rare schedule, years ahead, and at most as many as requested", () => {
    const timing = cron("30 2 8 3 *", "America/New_York", "skip");
    const found = timing.gaps(Date.UTC(2026, 3), Date.UTC(3000, 0), 3).map(({ at }) => formatInstant(at).slice(0, 10));
    expect(found).toEqual(["2037-03-08", "2043-03-08", "2048-03-08"]);
  });

  it("do not exist for a schedule that is not cron", () => {
    const bounds = { zone: "America/New_York", startsAt: null, endsAt: null };
    const timing = compileTiming({ kind: "interval", anchorAt: 0, everyMs: 1_000, ...bounds });
    expect(timing.gaps(0, Date.UTC(2030, 0), 5)).toEqual([]);
  });
});

describe("the length of a clock change", () => {
  it.each([
    ["America/New_York", "30 2 * * *", "2026-03-08T07:00:00Z", "gap", 60],
    ["Australia/Lord_Howe", "15 2 * * *", "2026-10-03T15:30:00Z", "gap", 30],
    ["Pacific/Apia", "0 6 * * *", "2011-12-30T10:00:00Z", "gap", 24 * 60],
    ["America/New_York", "0 * * * *", "2026-11-01T05:00:00Z", "overlap_first", 60],
    ["America/New_York", "0 * * * *", "2026-11-01T06:00:00Z", "overlap_second", 60],
    ["Australia/Lord_Howe", "45 * * * *", "2026-04-04T14:45:00Z", "overlap_first", 30],
    ["Australia/Lord_Howe", "45 * * * *", "2026-04-04T15:15:00Z", "overlap_second", 30],
    ["Antarctica/Troll", "0 * * * *", "2026-10-25T00:00:00Z", "overlap_first", 120],
    ["Antarctica/Troll", "0 * * * *", "2026-10-25T02:00:00Z", "overlap_second", 120],
    ["Pacific/Kwajalein", "0 * * * *", "1969-09-30T12:30:00Z", "overlap_first", 23 * 60],
  ] as const)("in %s, %s at %s: %s by %i minutes", (zone, expression, at, note, minutes) => {
    expect(cron(expression, zone).describe(parseInstant(at)).change).toEqual({ note, shiftMs: minutes * minuteMs });
  });
});
