import { describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs, openScheduling, tell } from "../support/schedules.ts";

/** Stops at 00:00, starts again when `awayMs` have passed, and tells the rows that are there then. */
async function tellAfterDowntime(timing: object, awayMs: number): Promise<readonly string[]> {
  await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
  const task = await scheduling.addTask();
  await scheduling.addSchedule(task.id, timing);
  await scheduling.stop();
  await scheduling.clock.advance(awayMs);
  await scheduling.start();
  return (await scheduling.runs(task.id)).map(tell);
}

describe("what fell due while the daemon was not running", () => {
  const hourly = { kind: "cron", expression: "0 * * * *" };

  test("runs once by default, for the newest instant, which stands for the others", async () => {
    expect(await tellAfterDowntime(hourly, 5.5 * hourMs)).toEqual(["01 05:00 queued +4 from 01 01:00"]);
  });

  test("runs once for each under run_all", async () => {
    expect(await tellAfterDowntime({ ...hourly, misfire: { policy: "run_all" } }, 3.5 * hourMs)).toEqual([
      "01 01:00 queued",
      "01 02:00 queued",
      "01 03:00 queued",
    ]);
  });

  test("runs the newest of run_all up to max_runs; the oldest of these stands for those before", async () => {
    expect(await tellAfterDowntime({ ...hourly, misfire: { policy: "run_all", max_runs: 2 } }, 5.5 * hourMs)).toEqual([
      "01 04:00 queued +3 from 01 01:00",
      "01 05:00 queued",
    ]);
  });

  test("is told in one skipped row under skip", async () => {
    expect(await tellAfterDowntime({ ...hourly, misfire: { policy: "skip" } }, 5.5 * hourMs)).toEqual([
      "01 05:00 skipped misfire +4 from 01 01:00",
    ]);
  });

  test("is told in one skipped row where nothing lies inside the window", async () => {
    expect(await tellAfterDowntime({ ...hourly, misfire: { window: "10m" } }, 5.5 * hourMs)).toEqual([
      "01 05:00 skipped misfire +4 from 01 01:00",
    ]);
  });

  test("was missed even if the daemon is back after a second", async () => {
    const misfire = { policy: "skip" };
    expect(await tellAfterDowntime({ kind: "interval", every: "10s", misfire }, 10_500)).toEqual([
      "01 00:00 skipped misfire",
    ]);
  });

  test("runs once late for a schedule that names one instant", async () => {
    expect(await tellAfterDowntime({ kind: "once", at: "2026-03-01T00:30:00Z" }, hourMs)).toEqual(["01 00:30 queued"]);
  });

  test("is counted however much it is", async () => {
    expect(await tellAfterDowntime({ kind: "interval", every: "1s" }, 400 * dayMs + 500)).toEqual([
      `05 00:00 queued +${400 * 86_400 - 1} from 01 00:00`,
    ]);
  });
});

describe("while the daemon runs", () => {
  test("every instant is a row of its own, and none comes twice over restarts", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *", misfire: { policy: "run_all" } });
    for (let start = 0; start < 4; start++) {
      await scheduling.clock.advance(2 * minuteMs);
      await scheduling.stop();
      await scheduling.clock.advance(1.5 * minuteMs);
      await scheduling.start();
    }
    const minutes = (await scheduling.runs(task.id)).map((run) => tell(run).slice(6, 8));
    expect(minutes).toEqual(["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14"]);
  });

  test("what a disabled task leaves is one skipped row, and running again begins another", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *" });
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.clock.advance(3 * minuteMs);
    await scheduling.send("POST", `/v1/tasks/${task.id}/enable`);
    await scheduling.clock.advance(minuteMs);
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.clock.advance(2 * minuteMs);
    expect((await scheduling.runs(task.id)).map(tell)).toEqual([
      "01 00:03 skipped task_disabled +2 from 01 00:01",
      "01 00:04 queued",
      "01 00:06 skipped task_disabled +1 from 01 00:05",
    ]);
  });
});
