import type { Schedule } from "@belfry/client";
import { expect, test } from "vitest";
import { patchBody, valuesOf } from "./schedule-values.ts";
import { defaultName, definitionOf, emptyTiming, hasOwnName, isComplete, timingOf, timingPatch } from "./timing.ts";

function schedule(members: Partial<Schedule>): Schedule {
  const rules = { name: "", jitter: "0s", misfire: { policy: "run_once" } };
  return { kind: "cron", expression: null, time_zone: null, every: null, at: null, ...rules, ...members } as Schedule;
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

test.each(["", "20261-03-29T01:30:07", "2026-02-31T99:00"])("a time that is being typed (%j) is not sent", (at) => {
  const once = timingOf(schedule({ kind: "once", at: "2026-03-29T01:30:07.000Z" }));
  expect(isComplete({ ...once, at })).toBe(false);
  expect(timingPatch(once, { ...once, at })).toEqual({});
  expect(defaultName({ ...once, at })).toBe(`at ${at}`);
});

test("a schedule has a name of its own unless it has the one that the daemon makes from its times", () => {
  const at = "2026-03-29T01:30:07.000Z";
  for (const [name, members] of [
    ["0 3 * * *", { kind: "cron", expression: "0  3 * * *" }],
    ["0 3 * * * (2)", { kind: "cron", expression: "0 3 * * *" }],
    ["every 1h", { kind: "interval", every: "1h" }],
    [`at ${at}`, { kind: "once", at }],
    ["at boot", { kind: "boot" }],
  ] as const) {
    expect(hasOwnName(schedule({ ...members, name }))).toBe(false);
    expect(hasOwnName(schedule({ ...members, name: "At night" }))).toBe(true);
  }
});

test("a name that was emptied becomes the one that the daemon makes from the times", () => {
  const stored = schedule({ kind: "interval", every: "1h", name: "Hourly" });
  const values = valuesOf(stored);
  expect(patchBody(stored, values)).toEqual({});
  expect(patchBody(stored, { ...values, name: " " })).toEqual({ name: "every 1h" });
  expect(patchBody(stored, { ...values, name: "", every: "120m" })).toEqual({ name: "every 2h", every: "120m" });
});

test("the time of a schedule that runs once is said in the zone of the screens", () => {
  const once = schedule({ kind: "once", at: "2026-07-01T01:30:07.000Z" });
  expect(definitionOf(once, "Asia/Tokyo")).toBe("once at Wed, 1 Jul 2026, 10:30:07 GMT+9");
});
