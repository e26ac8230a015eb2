import { ManualClock, tempDir } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { link } from "../support/chains.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { getRun, listRuns, makeTask, startRun, untilEnd } from "../support/tasks.ts";
import { dayMs, describeRow, hourMs, minuteMs, openScheduling } from "../support/schedules.ts";

const hourly = [
  ["cron", { kind: "cron", expression: "30 * * * *" }],
  ["interval", { kind: "interval", every: "1h" }],
] as const;

describe.each(hourly)("a schedule of kind %s", (_, timing) => {
  test.each([false, true])(
    "goes on within its hour after a clock is set back by days (restart: %s)",
    async (restarts) => {
      await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
      const task = await scheduling.addTask();
      await scheduling.addSchedule(task.id, timing);
      await scheduling.clock.advance(hourMs);
      if (restarts) await scheduling.stop();
      scheduling.clock.jump(-7 * dayMs);
      if (restarts) await scheduling.start();
      await scheduling.clock.advance(3 * hourMs);
      expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
        "22 02:30 queued",
        "22 03:30 queued",
        "22 04:30 queued",
        "01 01:30 queued",
      ]);
    },
  );

  test("that ran before the clock started in 1970 makes up only for the time its machine was off", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, timing);
    await scheduling.clock.advance(2 * hourMs);
    await scheduling.stop();
    const today = Date.parse("2026-03-02T00:00:00Z");
    scheduling.clock.jump(-scheduling.clock.now());
    await scheduling.start();
    await scheduling.clock.advance(90 * minuteMs);
    scheduling.clock.jump(today - scheduling.clock.now());
    await scheduling.clock.advance(hourMs);
    expect((await scheduling.runs(task.id)).filter((run) => run.scheduled_for > "2000").map(describeRow)).toEqual([
      "01 01:30 queued",
      "01 02:30 queued",
      "01 23:30 queued +20 from 01 03:30",
      "02 00:30 queued",
    ]);
  });
});

test.each([
  ["once", { kind: "once", at: "2026-03-01T03:00:00Z" }, ["01 03:00 queued"]],
  ["daily", { kind: "cron", expression: "0 3 * * *" }, ["01 03:00 queued", "02 03:00 queued"]],
])(
  "a schedule that runs %s has one row for each day, though the clock is in 1970 for hours each night",
  async (_, timing, rows) => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, timing);
    for (const night of ["2026-03-01T12:00:00Z", "2026-03-02T12:00:00Z"]) {
      await scheduling.stop();
      scheduling.clock.jump(dayMs / 2 - scheduling.clock.now());
      await scheduling.start();
      await scheduling.clock.advance(4 * hourMs);
      scheduling.clock.jump(Date.parse(night) - scheduling.clock.now());
      await scheduling.clock.advance(hourMs);
    }
    const runs = (await scheduling.runs(task.id)).filter((run) => run.scheduled_for > "2000");
    expect(runs.map(describeRow)).toEqual(rows);
  },
);

test("for any steps of the clock, no time has two rows, nothing is made up for that was never due, and the schedule goes on", async () => {
  const jumps = [-dayMs, -5 * hourMs, -hourMs, 0, 0, 0, hourMs, 5 * hourMs, dayMs, "1970", "today"] as const;
  const steps = fc.array(
    fc.record({
      jump: fc.constantFrom(...jumps),
      runMs: fc.integer({ min: 1, max: 300 }).map((minutes) => minutes * minuteMs),
      restarts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const check = fc.asyncProperty(steps, fc.constantFrom(...hourly), async (all, [, timing]) => {
    const start = Date.parse("2026-03-01T00:00:10Z");
    await using scheduling = await openScheduling(new Date(start).toISOString());
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, timing);
    let trueNow = start;
    for (const { jump, runMs, restarts } of all) {
      if (restarts) await scheduling.stop();
      const now = scheduling.clock.now();
      scheduling.clock.jump(jump === "1970" ? dayMs - now : jump === "today" ? trueNow - now : jump);
      if (restarts) await scheduling.start();
      await scheduling.clock.advance(runMs);
      trueNow += runMs;
    }
    // a schedule waits for its cursor for at most three hours
    await scheduling.clock.advance(5 * hourMs);
    const rows = await scheduling.runs(task.id);
    const own = rows.map((run) => Date.parse(run.scheduled_for));
    expect(new Set(own).size).toBe(own.length);
    // only the years in which a clock stood can have rows: nothing between 1970 and the start was ever due
    for (const at of own) expect(at < 30 * dayMs || at > start - 30 * dayMs, new Date(at).toISOString()).toBe(true);
    for (const run of rows) {
      if (run.coalesced === 0) continue;
      const spanMs = Date.parse(run.scheduled_for) - Date.parse(run.coalesced_from);
      expect(spanMs, describeRow(run)).toBeLessThanOrEqual(30 * dayMs);
      expect(run.coalesced).toBeLessThanOrEqual(spanMs / hourMs);
    }
    const now = scheduling.clock.now();
    expect(own.some((at) => now - hourMs < at && at <= now)).toBe(true);
  });
  await fc.assert(check, { numRuns: 20 });
});

describe.each([
  ["back by a day", -dayMs],
  ["to 1970", null],
])("when the clock is set %s", (_, byMs) => {
  const setBack = (clock: ManualClock): void => clock.jump(byMs ?? dayMs - clock.now());

  test("the pause before a retry is not longer", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const { run } = await startRetrying(daemon);
    await clock.advance(30 * minuteMs);
    setBack(clock);
    await clock.advance(29 * minuteMs);
    expect(await getRun(daemon, run)).toMatchObject({ state: "queued", attempt: 2, duration_ms: null });
    await clock.advance(2 * minuteMs);
    const { duration_ms } = await untilEnd(daemon, run);
    expect(duration_ms).toBeGreaterThanOrEqual(hourMs);
    expect(duration_ms).toBeLessThan(2 * hourMs);
  });

  test("the pause before a retry is not longer, though no daemon ran meanwhile", async () => {
    await using dir = await tempDir("bf-");
    const clock = new ManualClock();
    const first = await startDaemon({ clock, dataDir: dir.path });
    const { run } = await startRetrying(first);
    await first.stop();
    setBack(clock);
    await using second = await startDaemon({ clock, dataDir: dir.path });
    await clock.advance(61 * minuteMs);
    expect(await untilEnd(second, run)).toMatchObject({ state: "succeeded", attempt: 2 });
  });

  test("the delay of a chain is not longer", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const { run } = await startDelayed(daemon);
    await clock.advance(30 * minuteMs);
    setBack(clock);
    await clock.advance(29 * minuteMs);
    expect(await getRun(daemon, run)).toMatchObject({ state: "queued" });
    await clock.advance(2 * minuteMs);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded" });
  });
});

describe("when the clock is set forward by a day", () => {
  test("the pause before a retry is not shorter", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const { run } = await startRetrying(daemon);
    await clock.advance(30 * minuteMs);
    clock.jump(dayMs);
    await clock.advance(29 * minuteMs);
    expect(await getRun(daemon, run)).toMatchObject({ state: "queued", attempt: 2 });
    await clock.advance(2 * minuteMs);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 2 });
  });

  test("a pause that begins before the daemon notices has its length too", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    clock.jump(dayMs);
    const { run } = await startRetrying(daemon);
    await clock.advance(59 * minuteMs);
    expect(await getRun(daemon, run)).toMatchObject({ state: "queued", attempt: 2 });
    await clock.advance(2 * minuteMs);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 2 });
  });

  test("the delay of a chain is not shorter, and a run for a later time starts at that time", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const { run, target } = await startDelayed(daemon);
    const later = await startRun(daemon, await makeTask(daemon, ":"), {
      scheduled_for: new Date(clock.now() + 2 * hourMs).toISOString(),
    });
    clock.jump(dayMs);
    await clock.advance(59 * minuteMs);
    expect(await untilEnd(daemon, later)).toMatchObject({ state: "succeeded" });
    expect(await listRuns(daemon, `task_id=${target.id}`)).toMatchObject([{ state: "queued" }]);
    await clock.advance(2 * minuteMs);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded" });
  });
});

test("a pause goes on while the machine sleeps", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const { run } = await startRetrying(daemon);
  clock.suspend(2 * hourMs);
  await clock.advance(minuteMs);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 2 });
});

/** Starts a run whose second attempt, an hour after the first, succeeds. Returns in the pause. */
async function startRetrying(daemon: Harness) {
  const task = await makeTask(daemon, 'test "$BELFRY_ATTEMPT" = 2', {
    retry: { max_attempts: 2, delay: "1h", jitter: 0 },
  });
  const run = await startRun(daemon, task);
  await untilRound(daemon, "the pause", async () => (await getRun(daemon, run)).attempt === 2);
  return { task, run };
}

/** Starts a run of a chain's source. The target follows an hour after it. */
async function startDelayed(daemon: Harness) {
  const [source, target] = [await makeTask(daemon, ":"), await makeTask(daemon, ":")];
  await link(daemon, source, target, { delay: "1h" });
  await untilEnd(daemon, await startRun(daemon, source));
  const [run] = await listRuns(daemon, `task_id=${target.id}`);
  return { run, target };
}
