import type { Schedule } from "@belfry/client";
import { expect, test } from "vitest";
import { formatLocal } from "../output/time.ts";
import { nextRunText, ownScheduleColumns } from "./schedule.ts";

const until = "2026-12-01T02:00:00.000Z";

test.each([
  [{ enabled: true, paused: false, paused_until: null }, "enabled"],
  [{ enabled: true, paused: true, paused_until: null }, "paused"],
  [{ enabled: true, paused: true, paused_until: until }, `paused until ${formatLocal(until)}`],
  [{ enabled: false, paused: true, paused_until: until }, "disabled"],
])("a list says until when a schedule is paused: %o", (members, expected) => {
  const state = ownScheduleColumns.find(({ title }) => title === "STATE");
  expect(state?.text(members as Schedule)).toBe(expected);
});

test.each([
  ["paused for good", { paused_until: null, ends_at: null }, "no runs until the schedule is resumed"],
  [
    "paused for good, and ending later",
    { paused_until: null, ends_at: until },
    "no runs until the schedule is resumed",
  ],
  ["paused for good, and over", { paused_until: null, ends_at: "2026-11-01T02:00:00.000Z" }, "no further runs"],
  ["paused beyond its end", { paused_until: until, ends_at: "2026-11-30T02:00:00.000Z" }, "no further runs"],
])("after a change, a schedule without a next run says why: %s", (_, members, expected) => {
  const schedule = { kind: "cron", enabled: true, paused: true, next_run_at: null, ...members } as Schedule;
  expect(nextRunText(schedule, Date.parse("2026-11-20T02:00:00.000Z"))).toBe(expected);
});
