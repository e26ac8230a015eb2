import { fc } from "@belfry/test-kit/properties";
import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "../../../kernel/time/time.ts";
import { compileTiming, type CompiledTiming, type Timing } from "./compile-timing.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 365.25 * dayMs;
const dst = { gap: "run_after", overlap: "first" } as const;
const unbounded = { zone: "UTC", startsAt: null, endsAt: null } as const;

function cron(expression: string, zone = "UTC", bounds: Partial<Timing> = {}): CompiledTiming {
  return compileTiming({ ...unbounded, kind: "cron", expression, dst, ...bounds, zone } as Timing);
}

/** Lists all instants after `after`, up to and including `until`, with one call of `next` for each. */
function step(timing: CompiledTiming, after: number, until: number): number[] {
  const found: number[] = [];
  for (let at = timing.next(after); at !== null && at <= until; at = timing.next(at)) {
    if (at <= (found.at(-1) ?? after)) throw new Error(`${at} does not come after ${found.at(-1) ?? after}`);
    found.push(at);
  }
  return found;
}

const listOf = (min: number, max: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 });
const starOr = (values: fc.Arbitrary<number[]>): fc.Arbitrary<number[] | "*"> =>
  fc.oneof(fc.constant("*" as const), values);
const instants = fc.integer({ min: parseInstant("1900-01-01T00:00:00Z"), max: parseInstant("2100-01-01T00:00:00Z") });

describe("the list of occurrences in a range", () => {
  const expressions = fc
    .tuple(
      listOf(0, 59),
      starOr(listOf(0, 23)),
      fc.constantFrom("*", "*/2", "1,15", "L"),
      fc.constantFrom("*", "1-5", "0"),
    )
    .map(([minutes, hours, day, weekday]) => `${minutes.join(",")} ${String(hours)} ${day} * ${weekday}`);
  const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
  const policies = fc.record({ gap: fc.constantFrom("run_after", "skip"), overlap: fc.constantFrom("first", "both") });
  const timings: fc.Arbitrary<Timing> = fc
    .oneof(
      fc.record({ kind: fc.constant("cron"), expression: expressions, zone: zones, dst: policies }),
      fc.record({
        kind: fc.constant("interval"),
        anchorAt: instants,
        everyMs: fc.integer({ min: hourMs, max: 40 * dayMs }),
        zone: zones,
      }),
      fc.record({ kind: fc.constant("once"), at: instants, zone: zones }),
    )
    .map((timing) => ({ ...timing, startsAt: null, endsAt: null }));

  it("is the same when counted, listed from the end, looked up, and walked step by step", () => {
    const check = fc.property(timings, instants, fc.integer({ min: 0, max: 60 * dayMs }), (each, after, length) => {
      const timing = compileTiming(each);
      const until = after + length;
      const found = step(timing, after, until);
      expect(timing.count(after, until)).toBe(found.length);
      expect(timing.last(after, until, 5)).toEqual(found.slice(-5));
      expect(timing.last(after, until, 10_000)).toEqual(found);
      for (const at of found.slice(0, 20)) {
        expect(timing.includes(at)).toBe(true);
        expect(timing.includes(at + 1)).toBe(false);
      }
    });
    fc.assert(check, { numRuns: 500 });
  });

  it("is within the bounds, both included", () => {
    const check = fc.property(timings, instants, fc.nat(50), fc.nat(50), (each, after, first, more) => {
      const all = step(compileTiming(each), after, after + 100 * dayMs);
      const [startsAt, endsAt] = [all[first], all[first + more]];
      if (startsAt === undefined || endsAt === undefined) return;
      const timing = compileTiming({ ...each, startsAt, endsAt });
      const within = all.slice(first, first + more + 1);
      expect(step(timing, after, after + 100 * dayMs)).toEqual(within);
      expect(timing.count(after, after + 100 * dayMs)).toBe(within.length);
      expect(timing.last(after, after + 100 * dayMs, 1000)).toEqual(within);
      expect(timing.includes(startsAt - 1)).toBe(false);
    });
    fc.assert(check, { numRuns: 200 });
  });

  it("equals a check of every minute in the range by vixie cron's day rule", () => {
    const fields = fc.tuple(
      listOf(0, 59),
      starOr(listOf(0, 23)),
      starOr(listOf(1, 31)),
      starOr(listOf(1, 12)),
      starOr(listOf(0, 6)),
    );
    const check = fc.property(fields, instants, ([minutes, hours, days, months, weekdays], instant) => {
      const has = (values: number[] | "*", value: number): boolean => values === "*" || values.includes(value);
      const isNamed = (at: number): boolean => {
        const date = new Date(at);
        const [day, weekday] = [has(days, date.getUTCDate()), has(weekdays, date.getUTCDay())];
        const isDay = days === "*" || weekdays === "*" ? day && weekday : day || weekday;
        return (
          minutes.includes(date.getUTCMinutes()) &&
          has(hours, date.getUTCHours()) &&
          has(months, date.getUTCMonth() + 1) &&
          isDay
        );
      };
      const after = Math.floor(instant / 60_000) * 60_000;
      const expected: number[] = [];
      for (let at = after + 60_000; at <= after + 40 * dayMs; at += 60_000) if (isNamed(at)) expected.push(at);
      const expression = [minutes, hours, days, months, weekdays].map(String).join(" ");
      let found: number[] = [];
      try {
        found = step(cron(expression), after, after + 40 * dayMs);
      } catch (error) {
        expect(String(error)).toContain("never runs");
      }
      expect(found).toEqual(expected);
    });
    fc.assert(check, { numRuns: 100 });
  });
});

describe("long ranges", () => {
  const after = parseInstant("2026-11-21T00:00:00Z");

  it.each(["* * * * * *", "*/5 * * * *", "*/7 * 2 * * *", "30 2 * * *", "0 0 L * *", "0 0 29 2 *"])(
    "ten years of %s are counted, and their end is listed, without a step for each occurrence",
    (expression) => {
      const timing = cron(expression, "America/New_York");
      const start = performance.now();
      const count = timing.count(after, after + 10 * yearMs);
      const last = timing.last(after, after + 10 * yearMs, 100);
      // a walk through 315 million seconds takes minutes
      expect(performance.now() - start).toBeLessThan(5_000);
      expect(last.length).toBe(Math.min(count, 100));
    },
  );

  it("a schedule of every second has as many occurrences in a year as the year has seconds", () => {
    expect(cron("* * * * * *", "America/New_York").count(after, after + 365 * dayMs)).toBe(365 * 86_400);
  });

  it("the occurrences of an interval are counted without a step for each", () => {
    const timing = compileTiming({ ...unbounded, kind: "interval", anchorAt: 0, everyMs: 1000 });
    expect(timing.count(after, after + 10 * yearMs)).toBe((10 * yearMs) / 1000);
  });
});

describe("rare days", () => {
  it.each([
    ["0 0 29 2 *", "2096-02-29T00:00:00.000Z", "2104-02-29T00:00:00.000Z"],
    ["0 0 29 2 */7", "2088-02-29T00:00:00.000Z", "2128-02-29T00:00:00.000Z"],
    ["0 0 * 2 mon#5", "2072-02-29T00:00:00.000Z", "2112-02-29T00:00:00.000Z"],
  ])("%s after %s is %s", (expression, after, next) => {
    const timing = cron(expression);
    expect(timing.includes(parseInstant(after))).toBe(true);
    expect(formatInstant(timing.next(parseInstant(after))!)).toBe(next);
  });

  it("a schedule whose every time is skipped has no next instant", () => {
    const timing = cron("30 2 * 3 0#2", "America/New_York", { dst: { gap: "skip", overlap: "first" } });
    expect(timing.next(parseInstant("2026-11-21T00:00:00Z"))).toBeNull();
    expect(timing.count(0, parseInstant("2026-11-21T00:00:00Z"))).toBe(37);
  });
});

describe("an interval", () => {
  const anchorAt = parseInstant("2026-03-08T06:30:00.250Z");

  it("begins at its start and keeps its rate across clock changes", () => {
    const timing = compileTiming({
      ...unbounded,
      zone: "America/New_York",
      startsAt: anchorAt,
      kind: "interval",
      anchorAt,
      everyMs: hourMs,
    });
    const found = step(timing, anchorAt - yearMs, anchorAt + 2 * hourMs);
    expect(found.map((at) => timing.describe(at).local)).toEqual([
      "2026-03-08T01:30:00.250-05:00",
      "2026-03-08T03:30:00.250-04:00",
      "2026-03-08T04:30:00.250-04:00",
    ]);
  });
});

describe("an interval without a start", () => {
  it("has occurrences at its rate before its anchor too", () => {
    const timing = compileTiming({ ...unbounded, kind: "interval", anchorAt: 250, everyMs: 1_000 });
    expect(step(timing, -2_500, 2_500)).toEqual([-1_750, -750, 250, 1_250, 2_250]);
    expect([timing.count(-2_500, 2_500), timing.last(-2_500, 300, 2)]).toEqual([5, [-750, 250]]);
  });
});

describe("a single instant", () => {
  const at = parseInstant("2226-03-08T06:30:00Z");
  const timing = compileTiming({ ...unbounded, kind: "once", at });

  it("is the next occurrence until it has passed, however far away", () => {
    expect([timing.next(0), timing.next(at - 1), timing.next(at)]).toEqual([at, at, null]);
    expect([timing.count(0, at - 1), timing.count(0, at), timing.count(at, at + 1)]).toEqual([0, 1, 0]);
  });
});

describe("the description of an instant", () => {
  it.each([
    ["UTC", "2026-03-08T07:00:00Z", "2026-03-08T07:00:00+00:00", null],
    ["Asia/Kolkata", "2026-03-08T07:00:00Z", "2026-03-08T12:30:00+05:30", null],
    ["America/St_Johns", "2026-11-01T03:00:00Z", "2026-11-01T00:30:00-02:30", null],
    ["America/New_York", "2026-11-01T04:59:59Z", "2026-11-01T00:59:59-04:00", null],
    ["America/New_York", "2026-11-01T05:00:00Z", "2026-11-01T01:00:00-04:00", "overlap_first"],
    ["America/New_York", "2026-11-01T05:59:59Z", "2026-11-01T01:59:59-04:00", "overlap_first"],
    ["America/New_York", "2026-11-01T06:00:00Z", "2026-11-01T01:00:00-05:00", "overlap_second"],
    ["America/New_York", "2026-11-01T07:00:00Z", "2026-11-01T02:00:00-05:00", null],
    ["Africa/Monrovia", "1970-01-01T00:44:30Z", "1970-01-01T00:00:00-00:44:30", null],
  ])("in %s of %s is %s (%s)", (zone, at, local, note) => {
    const timing = compileTiming({ ...unbounded, zone, kind: "once", at: parseInstant(at) });
    const change = note === null ? null : { note, shiftMs: hourMs };
    expect(timing.describe(parseInstant(at))).toEqual({ local, offset: /[+-][\d:]+$/.exec(local)![0], change });
  });
});
