import { fc } from "@belfry/test-kit/properties";
import { expect, it } from "vitest";
import { parseInstant } from "../../../kernel/time/time.ts";
import { compileTiming } from "./compile-timing.ts";

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The values of one minute that fields are compared with. */
interface Moment {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly lastDay: number;
  readonly month: number;
  readonly weekday: number;
}

/** One part of a field, with its meaning in a form that is independent of the code under test. */
interface Part {
  readonly text: string;
  readonly matches: (moment: Moment) => boolean;
}

interface Values {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  readonly of: (moment: Moment) => number;
}

/** Steps through a cycle of values from one to another, and collects every `step`th. */
function walk({ min, max }: Values, [from, to, step]: readonly [number, number, number]): Set<number> {
  const found = new Set<number>();
  for (let value = from, taken = 0; ; value = value === max ? min : value + 1, taken += 1) {
    if (taken % step === 0) found.add(value);
    if (value === to) return found;
  }
}

function rangeParts(values: Values): fc.Arbitrary<Part> {
  const { min, max, names, of } = values;
  const value = fc.integer({ min, max });
  const step = fc.integer({ min: 1, max: max - min + 1 });
  const has =
    (set: ReadonlySet<number>) =>
    (moment: Moment): boolean =>
      set.has(of(moment));
  const write = (number: number, isNamed: boolean): string =>
    isNamed && names !== undefined ? names[number - min]! : String(number);
  const range = fc.tuple(value, value, fc.boolean(), fc.boolean());
  return fc.oneof(
    fc.constant({ text: "*", matches: () => true }),
    step.map((each) => ({ text: `*/${each}`, matches: has(walk(values, [min, max, each])) })),
    fc.tuple(value, fc.boolean()).map(([at, isNamed]) => ({ text: write(at, isNamed), matches: has(new Set([at])) })),
    fc.tuple(value, step).map(([from, each]) => ({
      text: `${from}/${each}`,
      matches: has(walk(values, [from, max, each])),
    })),
    range.map(([from, to, one, other]) => ({
      text: `${write(from, one)}-${write(to, other)}`,
      matches: has(walk(values, [from, to, 1])),
    })),
    fc.tuple(range, step).map(([[from, to, one, other], each]) => ({
      text: `${write(from, one)}-${write(to, other)}/${each}`,
      matches: has(walk(values, [from, to, each])),
    })),
  );
}

const minutes: Values = { min: 0, max: 59, of: ({ minute }) => minute };
const hours: Values = { min: 0, max: 23, of: ({ hour }) => hour };
const days: Values = { min: 1, max: 31, of: ({ day }) => day };
const months: Values = { min: 1, max: 12, names: monthNames, of: ({ month }) => month };
const weekdays: Values = { min: 0, max: 6, names: dayNames, of: ({ weekday }) => weekday };

const dayParts: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: rangeParts(days) },
  fc.constant({ text: "L", matches: ({ day, lastDay }: Moment) => day === lastDay }),
  fc.integer({ min: 1, max: 30 }).map((before) => ({
    text: `L-${before}`,
    matches: ({ day, lastDay }: Moment) => day + before === lastDay,
  })),
);

/** Weekday parts with special rules too: `7` for Sunday, and the nth or the last of each weekday in a range. */
const weekdayParts: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: rangeParts(weekdays).filter(({ text }) => !/^\d\//.test(text)) },
  fc.integer({ min: 1, max: 6 }).map((from) => ({
    text: `${from}-7`,
    matches: ({ weekday }: Moment) => weekday >= from || weekday === 0,
  })),
  fc.integer({ min: 1, max: 6 }).map((to) => ({
    text: `7-${to}`,
    matches: ({ weekday }: Moment) => weekday <= to,
  })),
  fc.tuple(fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 5 })).map(([from, to, nth]) => ({
    text: `${dayNames[from]!}-${dayNames[to]!}#${nth}`,
    matches: ({ weekday, day }: Moment) => walk(weekdays, [from, to, 1]).has(weekday) && Math.ceil(day / 7) === nth,
  })),
  fc.tuple(fc.nat(6), fc.nat(6)).map(([from, to]) => ({
    text: `${from}-${to}L`,
    matches: ({ weekday, day, lastDay }: Moment) => walk(weekdays, [from, to, 1]).has(weekday) && day + 7 > lastDay,
  })),
);

function fieldOf(part: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join(","),
    matches: (moment) => parts.some(({ matches }) => matches(moment)),
  }));
}

/** Lists the matching minutes of whole days, found by a check of each minute. */
function minutesOf(fields: readonly Part[], firstDay: number, dayCount: number): number[] {
  const [minute, hour, day, month, weekday] = fields as [Part, Part, Part, Part, Part];
  const needsBoth = day.text.startsWith("*") || weekday.text.startsWith("*");
  const found: number[] = [];
  for (let midnight = firstDay; midnight < firstDay + dayCount * dayMs; midnight += dayMs) {
    const date = new Date(midnight);
    const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    const [month0, weekday0] = [date.getUTCMonth(), date.getUTCDay()];
    const noon = { minute: 0, hour: 12, day: date.getUTCDate(), lastDay, month: month0 + 1, weekday: weekday0 };
    const [isDay, isWeekday] = [day.matches(noon), weekday.matches(noon)];
    if (!month.matches(noon) || !(needsBoth ? isDay && isWeekday : isDay || isWeekday)) continue;
    for (let minuteOfDay = 0; minuteOfDay < 1440; minuteOfDay += 1) {
      const moment = { ...noon, hour: Math.floor(minuteOfDay / 60), minute: minuteOfDay % 60 };
      if (minute.matches(moment) && hour.matches(moment)) found.push(midnight + minuteOfDay * minuteMs);
    }
  }
  return found;
}

it("an expression of any form gives the same times as a check of every minute, including wrapping ranges and L-n", () => {
  const fields = fc.tuple(
    fieldOf(rangeParts(minutes)),
    fieldOf(rangeParts(hours)),
    fieldOf(dayParts),
    fieldOf(rangeParts(months)),
    fieldOf(weekdayParts),
  );
  const starts = fc.integer({ min: parseInstant("1970-01-01T00:00:00Z"), max: parseInstant("2100-01-01T00:00:00Z") });
  let named = 0;
  const check = fc.property(fields, starts, (parts, instant) => {
    const expression = parts.map(({ text }) => text).join(" ");
    const from = Math.floor(instant / dayMs) * dayMs;
    const expected = minutesOf(parts, from, 45);
    const dst = { gap: "run_after", overlap: "first" } as const;
    let found: number[] = [];
    try {
      const timing = compileTiming({ kind: "cron", expression, zone: "UTC", dst, startsAt: null, endsAt: null });
      found = timing.last(from - 1, from + 45 * dayMs - 1, 100_000);
      expect(timing.count(from - 1, from + 45 * dayMs - 1), expression).toBe(expected.length);
      expect(timing.next(from - 1), expression).toBe(expected[0] ?? timing.next(from + 45 * dayMs - 1));
    } catch (error) {
      expect(String(error), expression).toContain("never runs");
    }
    named += expected.length > 0 ? 1 : 0;
    expect(found.length === expected.length && found.every((at, index) => at === expected[index]), expression).toBe(
      true,
    );
  });
  fc.assert(check, { numRuns: 200 });
  expect(named).toBeGreaterThan(70);
});
