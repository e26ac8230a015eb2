import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { parseInstant } from "../../../kernel/time/time.ts";
import type { RecordedSpan } from "./recorded-spans.ts";
import { evaluate, type EvaluationInput, latenessMaxMs, type MisfirePolicy, type Moment } from "./misfire.ts";
import { compileTiming, type Timing } from "../timing/compile-timing.ts";
import { dueOf } from "../timing-cache.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const start = parseInstant("2026-03-01T00:00:00Z");
const bounds = { startsAt: null, endsAt: null };
const everyMinute: Timing = { ...bounds, zone: "UTC", kind: "interval", anchorAt: start, everyMs: minuteMs };
const never = () => null;

function inputOf(timing: Timing, more: Partial<EvaluationInput> = {}): EvaluationInput {
  const misfire: MisfirePolicy = { policy: "run_once", windowMs: 24 * hourMs, runsMax: 100 };
  const plain = { cursor: start, dueOf: (at: number) => at, delayMaxMs: 0, misfire, findRecordedSpan: never };
  return { ...plain, ...more, timing: compileTiming(timing) };
}

describe("an instant", () => {
  const at = start + hourMs;
  const hourly: Timing = { ...everyMinute, everyMs: hourMs };
  const row = { instant: at, isSkipped: false, coalesced: 0, coalescedFrom: null };
  const skipping: MisfirePolicy = { policy: "skip", windowMs: hourMs, runsMax: 1 };
  const when = (now: number, awakeSince: number) =>
    evaluate(inputOf(hourly, { misfire: skipping }), { now, awakeSince }).rows[0];

  test("runs when it is due, and not a millisecond before", () => {
    expect(when(at - 1, start)).toBeUndefined();
    expect(when(at, start)).toEqual(row);
  });

  test("runs if it is at most 30 seconds late, and is missed otherwise", () => {
    expect(when(at + latenessMaxMs, start)).toEqual(row);
    expect(when(at + latenessMaxMs + 1, start)).toEqual({ ...row, isSkipped: true });
  });

  test("is missed if it was due before the daemon was awake, however recently", () => {
    expect(when(at + 2, at + 1)).toEqual({ ...row, isSkipped: true });
    expect(when(at + 2, at)).toEqual(row);
  });

  test("in the future is not recorded while the clock is before the daemon's start", () => {
    expect(evaluate(inputOf(everyMinute), { now: start + minuteMs, awakeSince: start + hourMs }).cursor).toBe(
      start + minuteMs,
    );
  });
});

describe("instants missed from 00:01 to 10:00", () => {
  const moment: Moment = { now: start + 10 * hourMs, awakeSince: start + 10 * hourMs };
  const missed = (misfire: MisfirePolicy) => evaluate(inputOf(everyMinute, { misfire }), moment).rows.slice(0, -1);

  test("run once, for the newest, into which the others are merged", () => {
    const rows = missed({ policy: "run_once", windowMs: 24 * hourMs, runsMax: 100 });
    expect(rows).toEqual([
      { instant: moment.now - minuteMs, isSkipped: false, coalesced: 598, coalescedFrom: start + minuteMs },
    ]);
  });

  test("run once each inside the window under run_all, oldest first; earlier ones are merged into the first", () => {
    const rows = missed({ policy: "run_all", windowMs: 3 * minuteMs, runsMax: 100 });
    expect(rows.map(({ instant }) => (moment.now - instant) / minuteMs)).toEqual([3, 2, 1]);
    expect(rows.map(({ coalesced }) => coalesced)).toEqual([596, 0, 0]);
    expect(rows[0]!.coalescedFrom).toBe(start + minuteMs);
  });

  test("run only for the newest max_runs under run_all", () => {
    const rows = missed({ policy: "run_all", windowMs: 24 * hourMs, runsMax: 2 });
    expect(rows.map(({ instant }) => (moment.now - instant) / minuteMs)).toEqual([2, 1]);
  });

  test("leave one skipped row with their range under the policy skip", () => {
    expect(missed({ policy: "skip", windowMs: 24 * hourMs, runsMax: 100 })).toEqual([
      { instant: moment.now - minuteMs, isSkipped: true, coalesced: 598, coalescedFrom: start + minuteMs },
    ]);
  });

  test.each(["run_once", "run_all"] as const)(
    "leave one skipped row under %s if none is inside the window",
    (policy) => {
      expect(missed({ policy, windowMs: 1_000, runsMax: 100 })).toEqual([
        { instant: moment.now - minuteMs, isSkipped: true, coalesced: 598, coalescedFrom: start + minuteMs },
      ]);
    },
  );
});

const secondly = fc.integer({ min: 1, max: 7_200 }).map((n) => n * 1_000);
const timings: fc.Arbitrary<Timing> = fc.oneof(
  fc
    .record({ everyMs: secondly, anchorAt: fc.integer({ min: -hourMs, max: hourMs }) })
    .map(({ everyMs, anchorAt }): Timing => ({
      ...bounds,
      zone: "UTC",
      kind: "interval",
      everyMs,
      anchorAt: start + anchorAt,
    })),
  fc
    .record({
      expression: fc.constantFrom("* * * * *", "*/7 * * * *", "30 */2 * * *", "0 0,2,3 * * *", "15 30 * * * *"),
      zone: fc.constantFrom("UTC", "America/New_York", "Australia/Lord_Howe"),
      endsAt: fc.option(fc.integer({ min: 0, max: 12 * hourMs }).map((ms) => start + ms)),
    })
    .map(({ expression, zone, endsAt }): Timing => ({
      kind: "cron",
      expression,
      zone,
      startsAt: null,
      endsAt,
      dst: { gap: "run_after", overlap: "first" },
    })),
  fc
    .integer({ min: 0, max: 12 * hourMs })
    .map((ms): Timing => ({ ...bounds, zone: "UTC", kind: "once", at: start + ms })),
);

interface Case {
  readonly timing: Timing;
  readonly jitterMs: number;
  readonly misfire: MisfirePolicy;
  readonly moment: Moment;
  readonly answered: readonly RecordedSpan[];
}

const upTo12h = fc.oneof(fc.integer({ min: 0, max: 5 * minuteMs }), fc.integer({ min: 0, max: 12 * hourMs }));
const cases: fc.Arbitrary<Case> = fc.record({
  timing: timings,
  jitterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: hourMs })),
  misfire: fc.record({
    policy: fc.constantFrom("run_once", "run_all", "skip"),
    windowMs: fc.integer({ min: 1_000, max: 24 * hourMs }),
    runsMax: fc.integer({ min: 1, max: 20 }),
  }),
  moment: fc
    .record({ now: upTo12h, awakeSince: upTo12h })
    .map(({ now, awakeSince }) => ({ now: start + now, awakeSince: start + awakeSince })),
  answered: fc
    .array(fc.integer({ min: 1, max: 12 * hourMs }), { maxLength: 6 })
    .map((edges) => edges.toSorted((a, b) => a - b))
    .map((edges) =>
      edges.flatMap((edge, index) =>
        index % 2 === 0 ? [] : [{ from: start + edges[index - 1]!, until: start + edge }],
      ),
    )
    .map((spans) => spans.filter((span, index) => index === 0 || span.from > spans[index - 1]!.until)),
});

/** The expected rows, by the documented rules: evaluates each instant by itself, one after another. */
function evaluateSlowly({ timing, jitterMs, misfire, moment, answered }: Case) {
  const compiled = compileTiming(timing);
  const missedBefore = Math.min(moment.now, Math.max(moment.now - latenessMaxMs, moment.awakeSince));
  const due: { readonly at: number; readonly isMissed: boolean }[] = [];
  let turn = -Infinity;
  for (let at = compiled.next(start); at !== null && at <= moment.now; at = compiled.next(at)) {
    turn = Math.max(turn, dueOf({ id: "sch_1", jitterMs, spreadMs: 0 }, at));
    if (turn > moment.now) break;
    due.push({ at, isMissed: turn < missedBefore });
  }
  const open = due.filter(({ at }) => !answered.some(({ from, until }) => from <= at && at <= until));
  const missed = open.flatMap(({ at, isMissed }) => (isMissed ? [at] : []));
  const wanted = missed.filter((at) => at >= moment.now - misfire.windowMs);
  const own = { run_once: wanted.slice(-1), run_all: wanted.slice(-misfire.runsMax), skip: [] }[misfire.policy];
  const rows = own.length > 0 ? own : missed.slice(-1);
  const without = missed.length - rows.length;
  return {
    rows: [
      ...rows.map((instant, index) => ({
        instant,
        isSkipped: own.length === 0,
        ...(index === 0 && without > 0
          ? { coalesced: without, coalescedFrom: missed[0]! }
          : { coalesced: 0, coalescedFrom: null }),
      })),
      ...open.flatMap(({ at, isMissed }) =>
        isMissed ? [] : [{ instant: at, isSkipped: false, coalesced: 0, coalescedFrom: null }],
      ),
    ],
    due: due.map(({ at }) => at),
    open: open.length,
  };
}

function evaluateCase(of: Case, cursor = start) {
  const { jitterMs, misfire } = of;
  return evaluate(
    inputOf(of.timing, {
      cursor,
      delayMaxMs: jitterMs,
      misfire,
      dueOf: (at) => dueOf({ id: "sch_1", jitterMs, spreadMs: 0 }, at),
      findRecordedSpan: (instant) => of.answered.find(({ until }) => until >= instant) ?? null,
    }),
    of.moment,
  );
}

describe("whatever the timing, the jitter, the policy and the moment", () => {
  test("the rows equal those of evaluating each instant by itself", () => {
    fc.assert(
      fc.property(cases, (of) => {
        expect(evaluateCase(of).rows).toEqual(evaluateSlowly(of).rows);
      }),
      { numRuns: 3_000 },
    );
  });

  test("every due instant is in exactly one row, and the cursor is between the last due instant and the next", () => {
    fc.assert(
      fc.property(cases, (of) => {
        const { rows, cursor } = evaluateCase(of);
        const { due, open } = evaluateSlowly(of);
        expect(rows.reduce((sum, row) => sum + 1 + row.coalesced, 0)).toBe(open);
        expect(compileTiming(of.timing).count(start, cursor)).toBe(due.length);
        expect(cursor).toBeGreaterThanOrEqual(due.at(-1) ?? start);
      }),
      { numRuns: 2_000 },
    );
  });

  test("after any sequence of wakings and downtimes each instant is recorded exactly once, in order", () => {
    const steps = fc.array(fc.record({ aheadMs: fc.integer({ min: 0, max: 2 * hourMs }), isAsleep: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(cases, steps, (of, life) => {
        let now = start;
        let cursor = start;
        const instants: number[] = [];
        let recorded = 0;
        for (const { aheadMs, isAsleep } of life) {
          const awakeSince = isAsleep ? now + aheadMs : start;
          now += aheadMs;
          const next = evaluateCase({ ...of, answered: [], moment: { now, awakeSince } }, cursor);
          instants.push(...next.rows.map(({ instant }) => instant));
          recorded += next.rows.reduce((sum, row) => sum + 1 + row.coalesced, 0);
          cursor = next.cursor;
        }
        expect(instants).toEqual([...new Set(instants)].toSorted((a, b) => a - b));
        expect(recorded).toBe(compileTiming(of.timing).count(start, cursor));
      }),
      { numRuns: 1_000 },
    );
  });
});
