import type { Agenda } from "@belfry/client";
import { expect, test } from "vitest";
import { dateOf } from "../../data/dates.ts";
import { changeText, gapText, seriesText } from "./agenda-words.ts";
import {
  dayOf,
  daysOf,
  type Entry,
  type Gap,
  happeningsOf,
  idOf,
  isSaidBy,
  joinAgendas,
  linesOf,
  periodsOf,
} from "./days.ts";

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

test("an agenda begins now or at the start of a coming day, and ends with its last day", () => {
  const now = Date.parse("2026-11-23T22:30:00Z");
  const of = (from: string | undefined, days: number, zone: string) =>
    periodsOf(from, { days, zone, today: dateOf(now, zone) }).map(({ date, from: start, until }) => [
      date,
      iso(start),
      iso(until),
    ]);
  expect(of(undefined, 1, "UTC")).toEqual([["2026-11-23", null, "2026-11-23T23:59:59.999Z"]]);
  expect(of(undefined, 2, "Asia/Tokyo")).toEqual([
    ["2026-11-24", null, "2026-11-24T14:59:59.999Z"],
    ["2026-11-25", "2026-11-24T15:00:00.000Z", "2026-11-25T14:59:59.999Z"],
  ]);
  expect(of("2026-12-31", 2, "UTC")).toEqual([
    ["2026-12-31", "2026-12-31T00:00:00.000Z", "2026-12-31T23:59:59.999Z"],
    ["2027-01-01", "2027-01-01T00:00:00.000Z", "2027-01-01T23:59:59.999Z"],
  ]);
  expect(of("2020-01-01", 1, "UTC")[0]![0]).toBe("2026-11-23");
  expect(of("never", 1, "UTC")[0]![0]).toBe("2026-11-23");
});

const entry = (at: string, more: Partial<Entry> = {}): Entry => ({
  at,
  schedule_id: "sch_1",
  schedule_name: "nightly",
  task_id: "tsk_1",
  task_name: "Backup",
  due_at: at,
  local: at,
  dst_note: null,
  dst_shift: null,
  count: 1,
  last_at: at,
  every: null,
  ...more,
});
const gap: Gap = {
  schedule_id: "sch_1",
  schedule_name: "nightly",
  task_id: "tsk_1",
  task_name: "Backup",
  time_zone: "Europe/Berlin",
  at: "2026-03-29T01:00:00.000Z",
  length: "1h",
  local_times: ["2026-03-29T02:30:00"],
  local_times_count: 1,
  runs_at: null,
};

test("the days of an agenda depend on the zone, and have its clock changes", () => {
  const agenda: Agenda = {
    from: "2026-03-28T12:00:00.000Z",
    until: "2026-03-29T22:00:00.000Z",
    entries: [entry("2026-03-28T23:30:00.000Z"), entry("2026-03-29T06:00:00.000Z", { count: 10 })],
    unplanned: [],
    dst_gaps: [gap],
    complete: true,
  };
  const shown = (zone: string) =>
    daysOf(happeningsOf(agenda, zone), zone).map(({ date, runs, happenings }) => [
      date,
      runs,
      happenings.map(({ is }) => is),
    ]);
  expect(shown("UTC")).toEqual([
    ["2026-03-28", 1, ["entry"]],
    ["2026-03-29", 10, ["gap", "entry"]],
  ]);
  expect(shown("Europe/Berlin")).toEqual([["2026-03-29", 11, ["entry", "change", "gap", "entry"]]]);
  const lines = linesOf(daysOf(happeningsOf(agenda, "UTC"), "UTC"));
  expect(lines.map((line) => (line.is === "day" ? line.day.date : line.place))).toEqual([
    "2026-03-28",
    1,
    "2026-03-29",
    1,
    2,
  ]);
});

test("the agendas of days are one, in which a schedule without times is once, and a time that two days have", () => {
  const unplanned = { schedule_id: "sch_1", schedule_name: "a", task_id: "tsk_1", task_name: "b", reason: "no zone" };
  const one = { from: "1", until: "2", entries: [entry("1")], unplanned: [unplanned], dst_gaps: [gap], complete: true };
  const other = { ...unplanned, schedule_id: "sch_2" };
  const next = { ...one, from: "3", until: "4", entries: [entry("1"), entry("3")], complete: false };
  expect(joinAgendas({ ...one, unplanned: [other] }, [one, next])).toEqual({
    from: "1",
    until: "4",
    entries: [entry("1"), entry("3")],
    unplanned: [other, unplanned],
    dst_gaps: [gap, gap],
    complete: false,
  });
});

test("an agenda of all days has the times of a day that no series reaches into", () => {
  const periods = periodsOf("2026-11-23", { days: 5, zone: "UTC", today: "2026-11-20" });
  const single = (day: number) => entry(`2026-11-${day}T04:00:00.000Z`);
  const series = entry("2026-11-24T09:00:00.000Z", { count: 5, last_at: "2026-11-25T09:00:00.000Z" });
  const late = { ...gap, at: "2026-11-26T01:00:00.000Z" };
  const whole: Agenda = {
    from: "2026-11-23T00:00:00.000Z",
    until: "2026-11-27T23:59:59.999Z",
    // the first one was delayed into the first day
    entries: [single(22), single(23), series, single(25), single(26)],
    unplanned: [],
    dst_gaps: [late],
    complete: true,
  };
  const saidDays = (agenda: Agenda) =>
    periods.filter((period) => isSaidBy(agenda, period)).map(({ date }) => date.slice(8));
  expect(saidDays(whole)).toEqual(["23", "26", "27"]);
  // what follows its last time is not known
  expect(saidDays({ ...whole, complete: false })).toEqual(["23"]);
  expect(saidDays({ ...whole, entries: [], complete: false })).toEqual([]);
  const found = periods.map((period) => dayOf(whole, period));
  expect(found.map(({ entries }) => entries.length)).toEqual([2, 1, 1, 1, 0]);
  expect(found.map(({ dst_gaps }) => dst_gaps.length)).toEqual([0, 0, 0, 1, 0]);
  expect([found[1]!.from, found[1]!.until]).toEqual(["2026-11-24T00:00:00.000Z", "2026-11-24T23:59:59.999Z"]);
});

test("entries and gaps are said in words", () => {
  const at = "2026-11-23T00:00:00.000Z";
  expect(seriesText(entry(at), "UTC")).toBe("");
  expect(seriesText(entry(at, { count: 1_440, every: "1m", last_at: "2026-11-23T23:59:00.000Z" }), "UTC")).toBe(
    "every minute, 1,440 times, the last at 23:59",
  );
  expect(seriesText(entry(at, { count: 5, last_at: "2026-11-27T00:00:00.000Z" }), "UTC")).toBe(
    "5 times, the last at Fri 27 Nov 00:00",
  );
  expect(gapText(gap)).toBe("02:30 does not run: the clocks in Europe/Berlin go forward 1 hour");
  expect(changeText(entry(at, { dst_note: "gap", dst_shift: "1h" }), gap)).toBe(
    "instead of 02:30: the clocks go forward 1 hour",
  );
  expect(changeText(entry(at, { dst_note: "overlap_second", dst_shift: "30m" }), undefined)).toBe(
    "the second of two: the clocks go back 30 minutes",
  );
});

test("a series is the same one when its first time has passed, and a single time is another one", () => {
  const idsOf = (...entries: readonly Entry[]) =>
    entries.map((one) => idOf({ is: "entry", at: Date.parse(one.at), entry: one }));
  const last_at = "2026-11-23T23:59:00.000Z";
  const [first, later, end, other] = idsOf(
    entry("2026-11-23T23:57:00.000Z", { count: 3, last_at }),
    entry("2026-11-23T23:58:00.000Z", { count: 2, last_at }),
    entry(last_at),
    entry("2026-11-24T00:00:00.000Z"),
  );
  expect([later, end]).toEqual([first, first]);
  expect(other).not.toBe(first);
});
