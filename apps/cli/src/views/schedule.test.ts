import type { Schedule } from "@belfry/client";
import { expect, test } from "vitest";
import { formatLocal } from "../output/time.ts";
import { ownScheduleColumns } from "./schedule.ts";

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
