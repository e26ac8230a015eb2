import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { openTestApplication } from "../support/application.ts";
import { made2xx } from "../support/tasks.ts";
import { hourMs, openScheduling, describeRow } from "../support/schedules.ts";

const start = "2026-03-01T12:00:00Z";
const atThree = { kind: "cron", expression: "0 3 * * *" };

describe("a schedule without a time zone", () => {
  test("uses the zone of its nearest group that has one, or else the daemon's, and follows changes of each", async () => {
    await using scheduling = await openScheduling(start, { config: { zone: "Asia/Tokyo" } });
    const { send } = scheduling;
    const outer = await send("POST", "/v1/groups", { name: "outer" });
    const inner = await send("POST", "/v1/groups", { name: "inner", parent_id: outer.id });
    const task = await scheduling.addTask({ group_id: inner.id });
    const { id } = await scheduling.addSchedule(task.id, atThree);
    const own = await scheduling.addSchedule(task.id, { ...atThree, time_zone: "UTC" });
    const now = async () => {
      const { effective_time_zone, next_run_at } = await scheduling.get(`/v1/schedules/${id}`);
      return [effective_time_zone, next_run_at.slice(5, 16)];
    };
    expect(await now()).toEqual(["Asia/Tokyo", "03-01T18:00"]);
    await send("PATCH", `/v1/groups/${outer.id}`, { time_zone: "Europe/Berlin" });
    expect(await now()).toEqual(["Europe/Berlin", "03-02T02:00"]);
    await send("PATCH", `/v1/groups/${inner.id}`, { time_zone: "America/New_York" });
    expect(await now()).toEqual(["America/New_York", "03-02T08:00"]);
    await send("PATCH", `/v1/groups/${inner.id}`, { time_zone: null });
    expect(await now()).toEqual(["Europe/Berlin", "03-02T02:00"]);
    await send("PATCH", `/v1/groups/${inner.id}`, { parent_id: null });
    expect(await now()).toEqual(["Asia/Tokyo", "03-01T18:00"]);
    await send("PATCH", `/v1/tasks/${task.id}`, { group_id: outer.id });
    expect(await now()).toEqual(["Europe/Berlin", "03-02T02:00"]);
    expect((await scheduling.get(`/v1/schedules/${own.id}`)).next_run_at.slice(5, 16)).toBe("03-02T03:00");
  });

  test("uses the daemon's new zone after a restart, and runs only for local times that did occur", async () => {
    await using scheduling = await openScheduling(start, { config: { zone: "UTC" } });
    const task = await scheduling.addTask();
    const { id } = await scheduling.addSchedule(task.id, atThree);
    await scheduling.clock.advance(16 * hourMs);
    await scheduling.stop();
    await scheduling.start({ config: { zone: "America/New_York" } });
    await scheduling.clock.advance(1);
    expect((await scheduling.get(`/v1/schedules/${id}`)).next_run_at).toBe("2026-03-02T08:00:00.000Z");
    await scheduling.clock.advance(6 * hourMs);
    const runs = await scheduling.runs(task.id);
    expect(runs.map((run) => run.scheduled_for.slice(5, 16))).toEqual(["03-02T03:00", "03-02T08:00"]);
  });

  test("does not run for a scheduled time that another zone moves into the past", async () => {
    await using scheduling = await openScheduling(start, { config: { zone: "UTC" } });
    const task = await scheduling.addTask();
    const { id } = await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 20 * * *" });
    await scheduling.clock.advance(4 * hourMs);
    await scheduling.stop();
    // 20:00 in Tokyo was 11:00 in UTC
    await scheduling.start({ config: { zone: "Asia/Tokyo" } });
    await scheduling.clock.advance(8 * hourMs);
    expect(await scheduling.runs(task.id)).toEqual([]);
    expect((await scheduling.get(`/v1/schedules/${id}`)).next_run_at).toBe("2026-03-02T11:00:00.000Z");
  });

  test.each([
    ["of its group's zone", "groups", { time_zone: "Europe/Berlin" }],
    ["of its task's group", "tasks", { group_id: null }],
  ])("records missed times before a change %s", async (_, kind, change) => {
    const clock = new ManualClock(start);
    // no timer fires: the change precedes the recording, as it may if thousands of schedules are due
    await using app = await openTestApplication({ clock, config: { zone: "Europe/Berlin" } });
    const post = (path: string, body: object) => made2xx(app.call("POST", path, body));
    const group = await post("/v1/groups", { name: "group", time_zone: "UTC" });
    const command = { kind: "exec", program: "/bin/true", arguments: [] };
    const task = await post("/v1/tasks", { name: "work", command, group_id: group.id });
    const schedule = await post("/v1/schedules", { task_id: task.id, ...atThree });
    await clock.advance(1);
    clock.jump(48 * hourMs);
    await made2xx(app.call("PATCH", `/v1/${kind}/${kind === "groups" ? group.id : task.id}`, change));
    app.inside.ticker.wake();
    await clock.advance(1);
    const { runs } = (await app.call("GET", `/v1/runs?task_id=${task.id}`)).json;
    expect(runs.map(describeRow)).toEqual(["03 02:00 queued +1 from 02 02:00"]);
    const { next_run_at } = (await app.call("GET", `/v1/schedules/${schedule.id}`)).json;
    expect(next_run_at).toBe("2026-03-04T02:00:00.000Z");
  });
});
