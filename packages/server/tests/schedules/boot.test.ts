import { describe, expect, test } from "vitest";
import { hourMs, minuteMs, openScheduling, describeRow } from "../support/schedules.ts";

const start = "2026-03-01T00:00:00Z";

describe("a boot schedule", () => {
  test("runs once when the daemon first starts after a boot of the machine, and not after other starts", async () => {
    await using scheduling = await openScheduling(start, { bootId: "first" });
    const task = await scheduling.addTask();
    const schedule = await scheduling.addSchedule(task.id, { kind: "boot" });
    expect(schedule).toMatchObject({ name: "at boot", next_run_at: null, last_run_at: null });
    for (const bootId of ["first", "second", "second", "third"]) {
      await scheduling.stop();
      await scheduling.clock.advance(hourMs);
      await scheduling.start({ bootId });
    }
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["01 02:00 queued", "01 04:00 queued"]);
    expect((await scheduling.get(`/v1/schedules/${schedule.id}`)).last_run_at).toBe("2026-03-01T04:00:00.000Z");
  });

  test("does not run while disabled, paused or outside its bounds, and does not catch up later", async () => {
    await using scheduling = await openScheduling(start, { bootId: "first" });
    const task = await scheduling.addTask();
    const add = (name: string, more: object = {}) => scheduling.addSchedule(task.id, { kind: "boot", name, ...more });
    const disabled = await add("disabled", { enabled: false });
    const paused = await add("paused");
    await scheduling.send("POST", `/v1/schedules/${paused.id}/pause`);
    await add("later", { starts_at: "2026-03-02T00:00:00Z" });
    await add("over", { ends_at: "2026-03-01T00:30:00Z" });
    await scheduling.stop();
    await scheduling.clock.advance(hourMs);
    await scheduling.start({ bootId: "second" });
    await scheduling.send("POST", `/v1/schedules/${disabled.id}/enable`);
    await scheduling.send("POST", `/v1/schedules/${paused.id}/resume`);
    await scheduling.stop();
    await scheduling.start({ bootId: "second" });
    expect(await scheduling.runs(task.id)).toEqual([]);
  });

  test("waits for its jitter, even across a restart", async () => {
    await using scheduling = await openScheduling(start, { bootId: "first", config: { runsAtOnceMax: 8 } });
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "boot", jitter: "1d" });
    await scheduling.stop();
    await scheduling.start({ bootId: "second" });
    await scheduling.clock.advance(1);
    await scheduling.stop();
    await scheduling.start({ bootId: "second" });
    await scheduling.clock.advance(minuteMs);
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["01 00:00 queued"]);
  });

  test("records a skipped row if its task cannot run", async () => {
    await using scheduling = await openScheduling(start, { bootId: "first" });
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "boot" });
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.stop();
    await scheduling.clock.advance(hourMs);
    await scheduling.start({ bootId: "second" });
    expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["01 01:00 skipped task_disabled"]);
  });
});
