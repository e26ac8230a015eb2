import { describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs, openScheduling, describeRow } from "../support/schedules.ts";

/** Stops the daemon at 00:00, starts it again after `awayMs`, and returns the rows recorded by then. */
async function listRowsAfterDowntime(timing: object, awayMs: number): Promise<readonly string[]> {
  await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
  const task = await scheduling.addTask();
  await scheduling.addSchedule(task.id, timing);
  await scheduling.stop();
  await scheduling.clock.advance(awayMs);
  await scheduling.start();
  return (await scheduling.runs(task.id)).map(describeRow);
}

describe("a schedule that was due while the daemon was stopped", () => {
  const hourly = { kind: "cron", expression: "0 * * * *" };

  test("runs once by default, for the newest time, into which the others are merged", async () => {
    expect(await listRowsAfterDowntime(hourly, 5.5 * hourMs)).toEqual(["01 05:00 queued +4 from 01 01:00"]);
  });

  test("runs once for each missed time under run_all", async () => {
    expect(await listRowsAfterDowntime({ ...hourly, misfire: { policy: "run_all" } }, 3.5 * hourMs)).toEqual([
      "01 01:00 queued",
      "01 02:00 queued",
      "01 03:00 queued",
    ]);
  });

  test("runs the newest max_runs times under run_all; earlier times are merged into the oldest of these", async () => {
    expect(
      await listRowsAfterDowntime({ ...hourly, misfire: { policy: "run_all", max_runs: 2 } }, 5.5 * hourMs),
    ).toEqual(["01 04:00 queued +3 from 01 01:00", "01 05:00 queued"]);
  });

  test("records one skipped row under skip", async () => {
    expect(await listRowsAfterDowntime({ ...hourly, misfire: { policy: "skip" } }, 5.5 * hourMs)).toEqual([
      "01 05:00 skipped misfire +4 from 01 01:00",
    ]);
  });

  test("records one skipped row if no time is inside the window", async () => {
    expect(await listRowsAfterDowntime({ ...hourly, misfire: { window: "10m" } }, 5.5 * hourMs)).toEqual([
      "01 05:00 skipped misfire +4 from 01 01:00",
    ]);
  });

  test("counts as missed even if the daemon is back after a second", async () => {
    const misfire = { policy: "skip" };
    expect(await listRowsAfterDowntime({ kind: "interval", every: "10s", misfire }, 10_500)).toEqual([
      "01 00:00 skipped misfire",
    ]);
  });

  test("runs once, late, if it has a single scheduled time", async () => {
    expect(await listRowsAfterDowntime({ kind: "once", at: "2026-03-01T00:30:00Z" }, hourMs)).toEqual([
      "01 00:30 queued",
    ]);
  });

  test("counts any number of missed times", async () => {
    expect(await listRowsAfterDowntime({ kind: "interval", every: "1s" }, 400 * dayMs + 500)).toEqual([
      `05 00:00 queued +${400 * 86_400 - 1} from 01 00:00`,
    ]);
  });
});

describe("while the daemon runs", () => {
  test("every scheduled time has its own row, and restarts repeat none", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *", misfire: { policy: "run_all" } });
    for (let start = 0; start < 4; start++) {
      await scheduling.clock.advance(2 * minuteMs);
      await scheduling.stop();
      await scheduling.clock.advance(1.5 * minuteMs);
      await scheduling.start();
    }
    const minutes = (await scheduling.runs(task.id)).map((run) => describeRow(run).slice(6, 8));
    expect(minutes).toEqual(["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14"]);
  });

  test("a disabled task records one skipped row, and another row when it is disabled again after a run", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *" });
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.clock.advance(3 * minuteMs);
    await scheduling.send("POST", `/v1/tasks/${task.id}/enable`);
    await scheduling.clock.advance(minuteMs);
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.clock.advance(2 * minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual([
      "01 00:03 skipped task_disabled +2 from 01 00:01",
      "01 00:04 queued",
      "01 00:06 skipped task_disabled +1 from 01 00:05",
    ]);
  });
});
