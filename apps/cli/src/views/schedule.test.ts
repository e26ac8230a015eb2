import type { Schedule } from "@belfry/client";
import { expect, test } from "vitest";
import { formatLocal } from "../output/time.ts";
import { nextRunText, ownScheduleColumns, timingText } from "./schedule.ts";

const nowMs = Date.parse("2026-11-20T02:00:00.000Z");
const until = "2026-12-01T02:00:00.000Z";

test.each([
  [{ enabled: true, paused: false, paused_until: null }, "enabled"],
  [{ enabled: true, paused: true, paused_until: null }, "paused"],
  [{ enabled: true, paused: true, paused_until: until }, `paused until ${formatLocal(until)}`],
  [{ enabled: false, paused: true, paused_until: until }, "disabled"],
  [{ enabled: true, paused: false, paused_until: null, kind: "once", at: "2026-11-20T01:00:00.000Z" }, "done"],
  [{ enabled: true, paused: true, paused_until: null, kind: "once", at: "2026-11-20T01:00:00.000Z" }, "done"],
  [{ enabled: true, paused: true, paused_until: null, kind: "once", at: until }, "paused"],
  [{ enabled: true, paused: false, paused_until: null, ends_at: "2026-11-20T01:00:00.000Z" }, "done"],
  [{ enabled: true, paused: false, paused_until: null, ends_at: until }, "enabled"],
  [{ enabled: true, paused: false, paused_until: null, next_run_at: until, kind: "once", at: until }, "enabled"],
])("a list says until when a schedule is paused, and that it is done: %o", (members, expected) => {
  const state = ownScheduleColumns(nowMs).find(({ title }) => title === "STATE");
  const schedule = { kind: "cron", at: null, ends_at: null, next_run_at: null, ...members } as Schedule;
  expect(state?.text(schedule)).toBe(expected);
});

test.each([
  [{ kind: "cron", expression: "0 3 * * *" }, "0 3 * * *"],
  [{ kind: "interval", every: "5m" }, "every 5m"],
  [{ kind: "once", at: until }, `at ${until}`],
  [{ kind: "boot" }, "at boot"],
])("a list shows the default name of a schedule, which can be typed: %o", (members, expected) => {
  expect(timingText(members as Schedule)).toBe(expected);
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
  expect(nextRunText(schedule, nowMs)).toBe(expected);
});
