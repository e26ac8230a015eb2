import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../kernel/storage/database.ts";
import { migrate, readMigrations } from "../../kernel/storage/migrate.ts";
import { openEnd } from "./idle.ts";
import { createScheduleStore } from "./store.ts";

const scheduleId = "sch_1";

async function openPeriods() {
  const dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "belfry.db"));
  migrate(sqlite, readMigrations());
  // the test has periods without schedules
  sqlite.pragma("foreign_keys = OFF");
  const { idlePeriods: periods } = createScheduleStore(db);
  return {
    periods,
    /** Does this work in one commit. */
    together: (work: () => void) => sqlite.transaction(work)(),
    count: () => sqlite.prepare("SELECT count(*) FROM schedule_gaps").pluck().get(),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("a period is found from its beginning, and until its end once it has ended", async () => {
  await using opened = await openPeriods();
  const { periods } = opened;
  periods.insert({ scheduleId, fromAt: 100, untilAt: openEnd, reason: "paused" });
  expect([99, 100, 1e15].map((at) => periods.find(scheduleId, at)?.reason)).toEqual([undefined, "paused", "paused"]);
  periods.end(scheduleId, 200);
  expect([199, 200].map((at) => periods.find(scheduleId, at)?.reason)).toEqual(["paused", undefined]);
  expect(periods.find("sch_2", 150)).toBeUndefined();
});

test("a period that ends when it begins is removed", async () => {
  await using opened = await openPeriods();
  opened.periods.insert({ scheduleId, fromAt: 100, untilAt: openEnd, reason: "disabled" });
  opened.periods.end(scheduleId, 100);
  expect(opened.count()).toBe(0);
});

test("an idle period takes precedence over a change of the schedule, and only the last change is kept", async () => {
  await using opened = await openPeriods();
  const { periods } = opened;
  periods.insert({ scheduleId, fromAt: 100, untilAt: 200, reason: "disabled" });
  periods.recordChange({ scheduleId, fromAt: 0, untilAt: 150 });
  periods.recordChange({ scheduleId, fromAt: 0, untilAt: 300 });
  expect(opened.count()).toBe(2);
  expect([50, 150, 250, 300].map((at) => periods.find(scheduleId, at)?.reason)).toEqual([
    "changed",
    "disabled",
    "changed",
    undefined,
  ]);
});

test("the newest 500 periods and the last change of a schedule are kept", async () => {
  await using opened = await openPeriods();
  const { periods } = opened;
  periods.recordChange({ scheduleId, fromAt: 0, untilAt: 10 });
  periods.insert({ scheduleId: "sch_2", fromAt: 0, untilAt: 1, reason: "paused" });
  opened.together(() => {
    for (let at = 0; at < 6_000; at += 10)
      periods.insert({ scheduleId, fromAt: at, untilAt: at + 5, reason: "paused" });
  });
  expect(opened.count()).toBe(502);
  expect([0, 990, 1_000, 5_990].map((at) => periods.find(scheduleId, at)?.reason)).toEqual([
    "changed",
    undefined,
    "paused",
    "paused",
  ]);
});
