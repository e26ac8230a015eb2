import { describe, expect, it } from "vitest";
import { formatInstant, formatLocal, parseInstant } from "../../../kernel/time/time.ts";
import { compileTiming, type CompiledTiming } from "./compile-timing.ts";
import type { DstPolicy } from "./dst.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = parseInstant("1990-01-01T00:00:00Z");
const end = parseInstant("2041-01-01T00:00:00Z");

interface Change {
  readonly at: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/**
 * Reads offsets as `Intl` prints them, such as `GMT-03:30`. It shares only Node's time zone data with the code under
 * test.
 */
function offsetReader(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (instant) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(instant))!;
    if (sign === undefined) return 0;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
  };
}

/** Finds every change of a zone's offset: compares the offsets of every sixth day, and bisects where two differ. */
function findChanges(zone: string): Change[] {
  const offsetAt = offsetReader(zone);
  const changes: Change[] = [];
  let beforeMs = offsetAt(start);
  for (let from = start; from < end; from += 6 * dayMs) {
    let [low, high] = [from, Math.min(from + 6 * dayMs, end)];
    const afterMs = offsetAt(high);
    if (afterMs === beforeMs) continue;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (offsetAt(middle) === beforeMs) low = middle;
      else high = middle;
    }
    changes.push({ at: high, beforeMs, afterMs });
    beforeMs = afterMs;
  }
  return changes;
}

/** A schedule as an expression, and as the matching minutes of a week that begins on Sunday. */
interface Schedule {
  readonly expression: string;
  readonly isWild: boolean;
  readonly dst: DstPolicy;
  readonly named: Uint8Array;
}

function schedule(minutes: number[], hours: number[] | "*", weekdays: number[] | "*", dst: DstPolicy): Schedule {
  const expression = `${minutes.join(",")} ${String(hours)} * * ${String(weekdays)}`;
  const named = Uint8Array.from({ length: 7 * 1440 }, (_, minute) => {
    const isHour = hours === "*" || hours.includes(Math.floor(minute / 60) % 24);
    const isDay = weekdays === "*" || weekdays.includes(Math.floor(minute / 1440));
    return minutes.includes(minute % 60) && isHour && isDay ? 1 : 0;
  });
  return { expression, isWild: hours === "*", dst, named };
}

/** 1970-01-01 was a Thursday. */
function isNamed(named: Uint8Array, localMinute: number): boolean {
  return named[(localMinute + 4 * 1440) % (7 * 1440)] === 1;
}

/** How far from a change its effects reach: the skipped or repeated time, and the hours next to it. */
function reachMs({ beforeMs, afterMs }: Change): number {
  return Math.abs(afterMs - beforeMs) + 8 * hourMs;
}

/**
 * Computes the expected occurrences around a change by brute force, in minutes since 1970. It reads the wall clock at
 * every minute. Each local minute of the schedule occurs when clocks show it, or, if they skip it, when they first show
 * a later one.
 */
function expectedAround(around: Change, { named, isWild, dst }: Schedule): number[] {
  const [change, before] = [around.at / minuteMs, around.beforeMs / minuteMs];
  const [after, reach] = [around.afterMs / minuteMs, reachMs(around) / minuteMs];
  const wall = (minute: number): number => minute + (minute < change ? before : after);
  const expected = new Set<number>();
  const shown = new Map<number, number[]>();
  for (let minute = change - reach; minute < change + reach; minute += 1) {
    const local = wall(minute);
    if (isNamed(named, local)) shown.set(local, [...(shown.get(local) ?? []), minute]);
  }
  if (isWild) return inOrder([...shown.values()].flat());
  let later = change - reach;
  for (let local = wall(later); local < wall(change + reach); local += 1) {
    if (!isNamed(named, local)) continue;
    const segments = shown.get(local);
    if (segments !== undefined) {
      for (const minute of dst.overlap === "both" ? segments : segments.slice(0, 1)) expected.add(minute);
    } else if (dst.gap === "run_after") {
      while (wall(later) <= local) later += 1;
      expected.add(later);
    }
  }
  return inOrder([...expected]);
}

/**
 * Checks the reported effects of one change: the note and the shift of each occurrence, and the skipped minutes of the
 * schedule.
 */
function checkClocks(
  timing: CompiledTiming,
  { at, beforeMs, afterMs }: Change,
  { named, isWild, dst }: Schedule,
): void {
  const shiftMs = Math.abs(afterMs - beforeMs);
  for (const instant of occurrencesWithin(timing, at - shiftMs, at + shiftMs)) {
    const isFirst = instant < at && instant + beforeMs >= at + afterMs;
    const isSecond = instant >= at && instant + afterMs < at + beforeMs;
    const { change } = timing.describe(instant);
    if (isFirst || isSecond) expect(change).toEqual({ note: isFirst ? "overlap_first" : "overlap_second", shiftMs });
    else if (change !== null) expect([change, instant]).toEqual([{ note: "gap", shiftMs }, at]);
  }
  const skipped: number[] = [];
  for (let local = at + beforeMs; local < at + afterMs; local += minuteMs)
    if (isNamed(named, local / minuteMs)) skipped.push(local);
  const gaps = timing.gaps(at - shiftMs, at + shiftMs, 5);
  const runsAt = isWild || dst.gap === "skip" ? null : at;
  const [localCount, locals] = [skipped.length, skipped.slice(0, 100).map(formatLocal)];
  expect(gaps).toEqual(localCount === 0 ? [] : [{ at, lengthMs: shiftMs, locals, localCount, runsAt }]);
}

function inOrder(minutes: number[]): number[] {
  return minutes.sort((one, other) => one - other).map((minute) => minute * minuteMs);
}

const defaults: DstPolicy = { gap: "run_after", overlap: "first" };

/** Schedules with times in every gap and overlap of a zone, and shortly before and after. */
function schedulesFor(changes: readonly Change[]): Schedule[] {
  const lows = changes.map(({ at, beforeMs, afterMs }) => at + Math.min(beforeMs, afterMs));
  const unique = (values: number[]): number[] => [...new Set(values)].sort((one, other) => one - other);
  const hours = unique(lows.map((low) => Math.floor(low / hourMs) % 24));
  const near = unique(hours.flatMap((hour) => [(hour + 23) % 24, hour, (hour + 1) % 24]));
  const weekdays = unique(lows.map((low) => (Math.floor(low / dayMs) + 4) % 7));
  return [
    schedule([0, 15, 30, 45], near, "*", defaults),
    schedule([0, 15, 30, 45], near, "*", { gap: "skip", overlap: "first" }),
    schedule([0, 15, 30, 45], near, "*", { gap: "run_after", overlap: "both" }),
    schedule([1, 59], hours, "*", defaults),
    schedule([30], hours, weekdays, defaults),
    schedule([10, 40], "*", "*", defaults),
  ];
}

function occurrencesWithin(timing: CompiledTiming, from: number, until: number): number[] {
  const found: number[] = [];
  for (let at = timing.next(from - 1); at !== null && at < until; at = timing.next(at)) found.push(at);
  return found;
}

/**
 * Compares the schedules of a zone to the expected occurrences around each change. Returns the number of compared
 * changes.
 */
function checkZone(zone: string, changes: readonly Change[]): number {
  if (changes.length === 0) return 0;
  const checked = new Set<Change>();
  for (const each of schedulesFor(changes)) {
    const { expression, dst } = each;
    const timing = compileTiming({ kind: "cron", expression, zone, dst, startsAt: null, endsAt: null });
    for (const change of changes) {
      const [from, until] = [change.at - reachMs(change), change.at + reachMs(change)];
      const expected = expectedAround(change, each);
      const found = occurrencesWithin(timing, from, until);
      const label = `${expression} in ${zone} around ${formatInstant(change.at)}`;
      if (found.join() !== expected.join()) expect(found, label).toEqual(expected);
      if (timing.count(from - 1, until - 1) !== expected.length) throw new Error(`count: ${label}`);
      if (timing.last(from - 1, until - 1, 2).join() !== expected.slice(-2).join()) throw new Error(`last: ${label}`);
      if (expected.length > 0) checked.add(change);
      checkClocks(timing, change, each);
    }
  }
  return checked.size;
}

describe("the defaults for daylight saving", () => {
  it("hold in every zone at every change of its clocks from 1990 to 2040, and each change is reported", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    let [found, checked] = [0, 0];
    for (const zone of zones) {
      const changes = findChanges(zone);
      found += changes.length;
      checked += checkZone(zone, changes);
    }
    // tz data 2026c has 418 zones and 16,035 changes, and other versions have similar numbers
    expect(zones.length).toBeGreaterThanOrEqual(400);
    expect(found).toBeGreaterThanOrEqual(15_000);
    expect(checked).toBe(found);
  });
});
