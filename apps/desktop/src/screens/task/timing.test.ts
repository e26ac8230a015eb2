import type { Schedule } from "@belfry/client";
import { expect, test } from "vitest";
import { emptyTiming, timingOf, timingPatch } from "./timing.ts";

function schedule(members: Partial<Schedule>): Schedule {
  return { kind: "cron", expression: null, time_zone: null, every: null, at: null, ...members } as Schedule;
}

test("the form of a stored schedule changes nothing by itself, to the second", () => {
  const stored = [
    schedule({ kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" }),
    schedule({ kind: "interval", every: "15m" }),
    schedule({ kind: "once", at: "2026-03-29T01:30:07.000Z" }),
    schedule({ kind: "boot" }),
  ];
  for (const each of stored) expect(timingPatch(timingOf(each), timingOf(each))).toEqual({});
  const once = timingOf(stored[2]!);
  expect(timingPatch(emptyTiming, once)).toEqual({ at: "2026-03-29T01:30:07.000Z" });
});

test("only what differs is sent, and an emptied time zone is cleared", () => {
  const before = timingOf(schedule({ expression: "0 3 * * *", time_zone: "Europe/Berlin" }));
  expect(timingPatch(before, { ...before, expression: " 0 4 * * * " })).toEqual({ expression: "0 4 * * *" });
  expect(timingPatch(before, { ...before, zone: " " })).toEqual({ time_zone: null });
});
