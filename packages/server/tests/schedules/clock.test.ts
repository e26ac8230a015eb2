import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { describe, expect, test } from "vitest";
import { hourMs, minuteMs, openScheduling, short, describeRow } from "../support/schedules.ts";

const everyMinute = { kind: "cron", expression: "* * * * *" };
const everyHour = { kind: "cron", expression: "0 * * * *" };

describe("after the machine slept", () => {
  test("a schedule runs once for all times it missed, and continues from there", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:10Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, everyMinute);
    await scheduling.clock.advance(minuteMs);
    scheduling.clock.jump(3 * hourMs);
    await scheduling.clock.advance(2 * minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
      "01 00:01 queued",
      "01 03:01 queued +179 from 01 00:02",
      "01 03:02 queued",
      "01 03:03 queued",
    ]);
  });

  test("the daemon detects the sleep within ten seconds, and then runs due schedules as usual", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:59:40Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { ...everyHour, misfire: { policy: "skip" } });
    await scheduling.clock.advance(9_000);
    scheduling.clock.jump(7 * hourMs);
    await scheduling.clock.advance(minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
      "01 07:00 skipped misfire +6 from 01 01:00",
      "01 08:00 queued",
    ]);
  });
});

describe("a clock that is set back", () => {
  test("by an hour: no scheduled time repeats, and schedules wait until the clock passes their last time", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:10Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "*/30 * * * *" });
    await scheduling.clock.advance(2 * hourMs);
    scheduling.clock.jump(-hourMs);
    await scheduling.clock.advance(90 * minuteMs);
    expect((await scheduling.runs(task.id)).map((run) => short(run.scheduled_for))).toEqual([
      "01 00:30",
      "01 01:00",
      "01 01:30",
      "01 02:00",
      "01 02:30",
    ]);
  });

  test("by five hours: schedules continue from the new time, but a time with its own row gets no other row", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:10Z");
    const task = await scheduling.addTask();
    const schedule = await scheduling.addSchedule(task.id, everyHour);
    await scheduling.clock.advance(2 * hourMs);
    scheduling.clock.jump(5 * hourMs);
    await scheduling.clock.advance(minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
      "01 01:00 queued",
      "01 02:00 queued",
      "01 07:00 queued +4 from 01 03:00",
    ]);
    scheduling.clock.jump(-5 * hourMs);
    await scheduling.clock.advance(30_000);
    expect((await scheduling.get(`/v1/schedules/${schedule.id}`)).next_run_at).toBe("2026-03-01T03:00:00.000Z");
    const why = async (at: string) =>
      (await scheduling.get(`/v1/tasks/${task.id}/why?at=2026-03-01T${at}:00Z`)).schedules[0].decision;
    expect(await why("04:00")).toBe("upcoming");
    await scheduling.clock.advance(6 * hourMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
      "01 01:00 queued",
      "01 02:00 queued",
      "01 03:00 queued",
      "01 04:00 queued",
      "01 05:00 queued",
      "01 06:00 queued",
      "01 07:00 queued +4 from 01 03:00",
      "01 08:00 queued",
    ]);
    expect(await why("04:00")).toBe("queued");
  });

  test("by a year, to the correct time: schedules run each day again", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:10Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 3 * * *" });
    await scheduling.clock.advance(minuteMs);
    scheduling.clock.jump(365 * 24 * hourMs);
    await scheduling.clock.advance(minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["28 03:00 queued +364 from 01 03:00"]);
    await scheduling.clock.advance(5 * 24 * hourMs);
    scheduling.clock.jump(-365 * 24 * hourMs);
    await scheduling.clock.advance(3 * 24 * hourMs);
    const runs = (await scheduling.runs(task.id)).filter((run) => run.scheduled_for < "2027");
    expect(runs.map(describeRow)).toEqual(["06 03:00 queued", "07 03:00 queued", "08 03:00 queued"]);
  });

  test("so that a time repeats while no daemon runs: the row that contains the time still counts", async () => {
    await using scheduling = await openScheduling("2026-03-01T02:30:00Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { ...everyHour, misfire: { policy: "run_all", max_runs: 1 } });
    await scheduling.clock.advance(minuteMs);
    scheduling.clock.jump(5 * hourMs);
    await scheduling.clock.advance(minuteMs);
    scheduling.clock.jump(-5 * hourMs);
    await scheduling.clock.advance(hourMs);
    await scheduling.stop();
    await scheduling.clock.advance(5 * hourMs);
    await scheduling.start();
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
      "01 03:00 queued",
      "01 07:00 queued +4 from 01 03:00",
      "01 08:00 queued",
    ]);
  });

  test("by years, as after a flat battery: a schedule runs again immediately, and the log reports it once", async () => {
    const entries: LogEntry[] = [];
    const log = createLog({ now: () => 0 }, "warn", [(entry) => void entries.push(entry)]);
    await using scheduling = await openScheduling("2031-01-01T00:00:10Z", { log });
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, everyHour);
    await scheduling.addSchedule(task.id, { ...everyHour, name: "another" });
    await scheduling.clock.advance(hourMs);
    scheduling.clock.jump(-5 * 365 * 24 * hourMs);
    await scheduling.clock.advance(2 * hourMs);
    expect((await scheduling.runs(task.id)).map((run) => run.scheduled_for.slice(0, 16))).toEqual([
      "2026-01-02T02:00",
      "2026-01-02T02:00",
      "2026-01-02T03:00",
      "2026-01-02T03:00",
      "2031-01-01T01:00",
      "2031-01-01T01:00",
    ]);
    expect(entries.filter(({ event }) => event === "schedules.clock_set_back")).toMatchObject([
      { fields: { schedules: 2 } },
    ]);
  });

  test("while the daemon was stopped is detected at its start", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:10Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, everyHour);
    await scheduling.clock.advance(hourMs);
    await scheduling.stop();
    scheduling.clock.jump(-48 * hourMs);
    await scheduling.start();
    await scheduling.clock.advance(hourMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["27 02:00 queued", "01 01:00 queued"]);
  });

  test("right after the start does not make future times look missed", async () => {
    await using scheduling = await openScheduling("2026-03-01T12:00:10Z");
    scheduling.clock.jump(-hourMs);
    await scheduling.clock.advance(30_000);
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { ...everyMinute, misfire: { policy: "skip" } });
    await scheduling.clock.advance(2 * minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["01 11:01 queued", "01 11:02 queued"]);
  });
});
