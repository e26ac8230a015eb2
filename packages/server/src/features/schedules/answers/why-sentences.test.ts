import { runReasons } from "@belfry/contract";
import { expect, test } from "vitest";
import { reasonText } from "../../runs/reason-text.ts";
import { openEnd } from "../idle.ts";
import * as sentences from "./why-sentences.ts";

const at = (time: string): number => Date.parse(`2026-03-01T${time}:00Z`);
const now = at("06:00");

test("a schedule without a scheduled time has a sentence", () => {
  const due = { enabled: true, paused: false, pausedUntil: null, cursorAt: at("02:00") };
  const created = { ...due, createdAt: at("02:00"), kind: "cron", nextAt: at("08:00") } as const;
  const later = { at: at("03:00"), now };
  expect([
    sentences.noScheduledTime(created, { at: at("01:00"), now }),
    sentences.noScheduledTime(created, later),
    sentences.noScheduledTime({ ...created, nextAt: null }, later),
    sentences.noScheduledTime({ ...created, nextAt: null, paused: true }, later),
    sentences.noScheduledTime({ ...created, nextAt: null, paused: true, pausedUntil: at("07:00") }, later),
    sentences.noScheduledTime({ ...created, nextAt: null, paused: true, pausedUntil: at("05:00") }, later),
    sentences.noScheduledTime({ ...created, nextAt: null, paused: true, enabled: false }, later),
    sentences.noScheduledTime({ ...created, kind: "boot", nextAt: null }, later),
    sentences.noRecord,
  ]).toEqual([
    "The schedule did not exist yet",
    "No run was scheduled at or before this time; the next run is scheduled for 2026-03-01T08:00:00.000Z",
    "No run was scheduled at or before this time; the schedule has no next run",
    "No run was scheduled at or before this time; the schedule is paused",
    "No run was scheduled at or before this time; the schedule is paused until 2026-03-01T07:00:00.000Z",
    "No run was scheduled at or before this time; the schedule has no next run",
    "No run was scheduled at or before this time; the schedule is disabled",
    "The schedule runs once after each boot of the machine, and no boot was recorded at or before this time",
    "There is no record of this time: its history was deleted by retention",
  ]);
});

test("a scheduled time that has no run yet has a sentence", () => {
  const delays = (spreadMs: number, jitterMs: number) => ({ spreadMs, jitterMs });
  expect([
    sentences.upcoming({ instant: at("07:00"), due: at("07:00"), row: delays(0, 0) }, now),
    sentences.upcoming({ instant: at("05:00"), due: at("07:00"), row: delays(0, 1) }, now),
    sentences.upcoming({ instant: at("05:00"), due: at("07:00"), row: delays(1, 0) }, now),
    sentences.upcoming({ instant: at("05:00"), due: at("07:00"), row: delays(1, 1) }, now),
    sentences.upcoming({ instant: at("05:00"), due: at("06:00"), row: delays(0, 1) }, now),
  ]).toEqual([
    "The run is not due yet",
    "The run is not due yet; with its jitter it is due at 2026-03-01T07:00:00.000Z",
    "The run is not due yet; with its spread it is due at 2026-03-01T07:00:00.000Z",
    "The run is not due yet; with its spread and jitter it is due at 2026-03-01T07:00:00.000Z",
    "The run is due and is about to be queued",
  ]);
});

test("every kind of idle period has a sentence", () => {
  const kinds = ["disabled", "paused", "changed"] as const;
  const ends = [at("05:00"), at("07:00"), openEnd];
  const all = kinds.flatMap((reason) => ends.map((untilAt) => ({ reason, untilAt })));
  expect(
    all
      .filter(({ reason, untilAt }) => reason !== "changed" || untilAt === ends[0])
      .map((period) => sentences.idlePeriod(period, now)),
  ).toEqual([
    "The schedule was disabled until 2026-03-01T05:00:00.000Z",
    "The schedule is disabled until 2026-03-01T07:00:00.000Z",
    "The schedule is disabled",
    "The schedule was paused until 2026-03-01T05:00:00.000Z",
    "The schedule is paused until 2026-03-01T07:00:00.000Z",
    "The schedule is paused",
    "The schedule had other times until it was changed at 2026-03-01T04:59:59.999Z",
  ]);
});

test("a scheduled time that was merged into another run has a sentence", () => {
  const into = { scheduledFor: at("05:00") };
  expect([
    sentences.coalesced({ ...into, state: "queued", reasonText: null }),
    sentences.coalesced({ ...into, state: "succeeded", reasonText: "exited with code 0" }),
    sentences.coalesced({ ...into, state: "skipped", reasonText: reasonText("misfire") }),
    sentences.coalesced({ ...into, state: "skipped", reasonText: reasonText("task_disabled") }),
  ]).toEqual([
    "The scheduled time was missed and merged into the run for 2026-03-01T05:00:00.000Z",
    "The scheduled time was missed and merged into the run for 2026-03-01T05:00:00.000Z",
    "The run was missed: the daemon was stopped or the machine was asleep; the history records it together with the run for 2026-03-01T05:00:00.000Z",
    "The run was skipped: the task is disabled; the history records it together with the run for 2026-03-01T05:00:00.000Z",
  ]);
});

test("a run has a sentence, whether in time or late, with or without merged times", () => {
  const startedAt = at("05:30");
  const status = "exited with code 3";
  expect([
    sentences.run({ startedAt, coalesced: 0 }, { status, isLate: false }),
    sentences.run({ startedAt, coalesced: 1 }, { status, isLate: true }),
    sentences.run({ startedAt: null, coalesced: 2 }, { status: "is starting", isLate: false }),
  ]).toEqual([
    "The run exited with code 3",
    "The run started late, at 2026-03-01T05:30:00.000Z, and exited with code 3; 1 earlier scheduled time was merged into it",
    "The run is starting; 2 earlier scheduled times were merged into it",
  ]);
});

test("every reason of a run makes a whole sentence", () => {
  for (const reason of runReasons) {
    const sentence = sentences.run({ startedAt: null, coalesced: 0 }, { status: reasonText(reason), isLate: false });
    expect(sentence).toMatch(/^The run (exited|was|ran|could not be) /);
    expect(sentence).not.toMatch(/undefined|null|NaN| its runner died,/);
  }
});
