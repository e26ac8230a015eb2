import { afterAll, beforeAll, expect, test } from "vitest";
import { Zone } from "./local-time.ts";
import { type Direction, readTime } from "./time.ts";

const formerZone = process.env["TZ"];
beforeAll(() => void (process.env["TZ"] = "Europe/Berlin"));
afterAll(() => {
  if (formerZone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = formerZone;
});

// 14:00 in Berlin
const nowMs = Date.parse("2026-11-21T13:00:00Z");

const rows: readonly (readonly [text: string, direction: Direction, instant: string])[] = [
  ["now", "past", "2026-11-21T13:00:00.000Z"],
  ["2h", "past", "2026-11-21T11:00:00.000Z"],
  ["2h", "future", "2026-11-21T15:00:00.000Z"],
  ["in 2h", "past", "2026-11-21T15:00:00.000Z"],
  ["+90s", "past", "2026-11-21T13:01:30.000Z"],
  ["1.5h ago", "future", "2026-11-21T11:30:00.000Z"],
  ["-1d", "future", "2026-11-20T13:00:00.000Z"],
  ["2026-12-01T03:00:00Z", "future", "2026-12-01T03:00:00.000Z"],
  ["2026-12-01 03:00:00 +01:00", "future", "2026-12-01T02:00:00.000Z"],
  ["2026-12-01 03:00", "future", "2026-12-01T02:00:00.000Z"],
  ["2026-07-01T03:00:30", "future", "2026-07-01T01:00:30.000Z"],
  ["2026-12-01", "future", "2026-11-30T23:00:00.000Z"],
  ["03:00", "future", "2026-11-22T02:00:00.000Z"],
  ["03:00", "past", "2026-11-21T02:00:00.000Z"],
  ["15:30", "future", "2026-11-21T14:30:00.000Z"],
  ["15:30", "past", "2026-11-20T14:30:00.000Z"],
  ["today", "past", "2026-11-20T23:00:00.000Z"],
  ["yesterday", "past", "2026-11-19T23:00:00.000Z"],
  ["8am", "future", "2026-11-22T07:00:00.000Z"],
  ["8 AM", "past", "2026-11-21T07:00:00.000Z"],
  ["8:30pm", "future", "2026-11-21T19:30:00.000Z"],
  ["12am", "future", "2026-11-21T23:00:00.000Z"],
  ["tomorrow 6am", "future", "2026-11-22T05:00:00.000Z"],
  ["in 1h30m", "past", "2026-11-21T14:30:00.000Z"],
  ["2 hours ago", "future", "2026-11-21T11:00:00.000Z"],
  ["in 5 min", "past", "2026-11-21T13:05:00.000Z"],
  ["tomorrow 08:00", "future", "2026-11-22T07:00:00.000Z"],
];
test.each(rows)("%j, in the %s, is %s", (text, direction, instant) => {
  expect(readTime(text, { nowMs, direction, option: "--at" })).toBe(instant);
});

test.each([
  ["2027-03-28 02:30", undefined, "Europe/Berlin", "2027-03-28 02:00 to 2027-03-28 03:00", "2027-03-28 03:00"],
  ["2027-03-28 2:00", null, "Europe/Berlin", "2027-03-28 02:00 to 2027-03-28 03:00", "2027-03-28 03:00"],
  ["2027-03-14 02:30", "America/New_York", "America/New_York", "2027-03-14 02:00 to 2027-03-14 03:00", ""],
  ["2026-10-04 02:10", "Australia/Lord_Howe", "Australia/Lord_Howe", "2026-10-04 02:00 to 2026-10-04 02:30", ""],
  ["2011-12-30 06:00", "Pacific/Apia", "Pacific/Apia", "2011-12-30 00:00 to 2011-12-31 00:00", "2011-12-31 00:00"],
])("%j in %s does not exist, and the error says what to use", (text, typedZone, name, change, instead) => {
  const reading = { nowMs, direction: "future", option: "--at", zone: typedZone } as const;
  expect(() => readTime(text, reading)).toThrow(
    expect.objectContaining({
      message: `the time "${text}" for --at does not exist in ${name}: the clocks go forward from ${change}`,
      hint: expect.stringContaining(`Use "${instead}`),
    }),
  );
});

test.each([
  ["2027-10-31 02:30", null, "2027-10-31T00:30:00.000Z", "2027-10-31 02:30 +02:00", "2027-10-31 02:30 +01:00"],
  [
    "2027-11-07 01:15",
    "America/New_York",
    "2027-11-07T05:15:00.000Z",
    "2027-11-07 01:15 -04:00",
    "2027-11-07 01:15 -05:00",
  ],
  [
    "2026-04-05 01:45",
    "Australia/Lord_Howe",
    "2026-04-04T14:45:00.000Z",
    "2026-04-05 01:45 +11:00",
    "2026-04-05 01:45 +10:30",
  ],
] as const)(
  "%j in %s occurs twice, and the note says how to choose the second",
  (text, zone, instant, first, second) => {
    const notes: string[] = [];
    const read = (typed: string) =>
      readTime(typed, { nowMs, direction: "future", option: "--at", zone, note: (note) => void notes.push(note) });
    expect(read(text)).toBe(instant);
    expect(notes).toEqual([
      `The time "${text}" for --at occurs twice in ${zone ?? "Europe/Berlin"}, because the clocks go back. The first one is used: ${first}. To choose the second, use "${second}"`,
    ]);
    expect([read(first), read(second) > instant, notes.length]).toEqual([instant, true, 1]);
  },
);

test.each([
  ["2026-12-01 03:00", "2026-12-01T08:00:00.000Z"],
  ["2026-12-01", "2026-12-01T05:00:00.000Z"],
  ["tomorrow 03:00", "2026-11-22T08:00:00.000Z"],
  ["09:00", "2026-11-21T14:00:00.000Z"],
  ["2026-12-01 03:00 +01:00", "2026-12-01T02:00:00.000Z"],
  ["in 2h", "2026-11-21T15:00:00.000Z"],
])("%j in the zone of --tz is %s", (text, instant) => {
  expect(readTime(text, { nowMs, direction: "future", option: "--from", zone: "America/New_York" })).toBe(instant);
});

test("an unknown zone of a local time is refused, and one of a time with an offset is not read", () => {
  const reading = { nowMs, direction: "future", option: "--from", zone: "Mars/Base" } as const;
  expect(() => readTime("03:00", reading)).toThrow(
    'cannot read "03:00" for --from: the time zone "Mars/Base" is unknown',
  );
  expect(readTime("2026-12-01T03:00:00Z", reading)).toBe("2026-12-01T03:00:00.000Z");
});

/** Every half hour of many days, in zones with changes of all kinds, is read back from its instant. */
test.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "UTC"])(
  "every half hour of %s is read back",
  (name) => {
    const zone = new Zone(name);
    const days = [...Array.from({ length: 366 }).keys()].filter((day) => day < 35 || (day > 110 && day % 30 > 20));
    for (const atMs of days.flatMap((day) => halfHoursOf(Date.UTC(2011, 11, 1 + day)))) {
      const resolved = zone.resolve(zone.localAt(atMs));
      expect(resolved.kind === "twice" ? [resolved.atMs, resolved.laterMs] : [resolved.atMs]).toContain(atMs);
      expect(resolved.kind).not.toBe("gap");
    }
  },
);

test.each(["9999-12-31T23:59:59-12:00", "1969-12-31T23:59:59Z", "36525d ago"])(
  "%j is outside the years that the API accepts",
  (text) => {
    expect(() => readTime(text, { nowMs, direction: "future", option: "--at" })).toThrow(
      "--at must be in the years 1970 to 9999",
    );
  },
);

test.each(["", "soon", "25:00", "2026-13-01", "2026-02-31", "2h3", "tomorrow at 8", "8", "tomorrow 8", "13pm", "0am"])(
  "%j is rejected with examples",
  (text) => {
    expect(() => readTime(text, { nowMs, direction: "future", option: "--at" })).toThrow(
      /cannot parse ".*" as a time for --at/,
    );
  },
);

function halfHoursOf(dayMs: number): readonly number[] {
  return Array.from({ length: 48 }, (_, index) => dayMs + index * 1_800_000);
}
