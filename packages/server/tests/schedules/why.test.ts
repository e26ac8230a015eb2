import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hourMs, openScheduling } from "../support/schedules.ts";
import { untilRound } from "../support/rounds.ts";

type Scheduling = Awaited<ReturnType<typeof openScheduling>>;

const start = "2026-03-01T00:30:00Z";
const everyHour = { kind: "cron", expression: "0 * * * *" };

async function open() {
  const scheduling = await openScheduling(start);
  const task = await scheduling.addTask();
  const schedule = await scheduling.addSchedule(task.id, everyHour);
  return { scheduling, task, schedule };
}

/** Explains this time of the task's only schedule, as `decision time: reason`. */
async function whyAt(scheduling: Scheduling, taskId: string, at: string): Promise<string> {
  const { schedules } = await scheduling.get(`/v1/tasks/${taskId}/why?at=2026-03-${at}:00Z`);
  expect(schedules).toHaveLength(1);
  const { decision, instant, reason } = schedules[0];
  return `${decision}${instant === null ? "" : ` ${instant.slice(8, 16).replace("T", " ")}`}: ${reason}`;
}

describe("why", () => {
  test("explains times before the schedule existed, before its first scheduled time, and in the future", async () => {
    const { scheduling, task } = await open();
    await using _ = scheduling;
    expect(await whyAt(scheduling, task.id, "01T00:15")).toBe("not_due: The schedule did not exist yet");
    expect(await whyAt(scheduling, task.id, "01T00:45")).toBe(
      "not_due: No run was scheduled at or before this time; the next run is scheduled for 2026-03-01T01:00:00.000Z",
    );
    expect(await whyAt(scheduling, task.id, "02T05:59")).toBe("upcoming 02 05:00: The run is not due yet");
  });

  test("explains a waiting run, and rows into which missed times are merged", async () => {
    const { scheduling, task } = await open();
    await using _ = scheduling;
    await scheduling.clock.advance(hourMs);
    await scheduling.stop();
    await scheduling.clock.advance(3 * hourMs);
    await scheduling.start();
    expect(await whyAt(scheduling, task.id, "01T01:59")).toBe(
      "queued 01 01:00: The run is queued: the daemon's limit of 0 concurrent runs is reached",
    );
    expect(await whyAt(scheduling, task.id, "01T02:00")).toBe(
      "coalesced 01 02:00: The scheduled time was missed and merged into the run for 2026-03-01T04:00:00.000Z",
    );
    expect(await whyAt(scheduling, task.id, "01T04:10")).toBe(
      "queued 01 04:00: The run is queued: the daemon's limit of 0 concurrent runs is reached; 2 earlier scheduled times were merged into it",
    );
  });

  test("explains a skipped row, and the times merged into it", async () => {
    const { scheduling, task } = await open();
    await using _ = scheduling;
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.clock.advance(2 * hourMs);
    expect(await whyAt(scheduling, task.id, "01T02:30")).toBe(
      "skipped 01 02:00: The run was skipped: the task is disabled; 1 earlier scheduled time was merged into it",
    );
    expect(await whyAt(scheduling, task.id, "01T01:30")).toBe(
      "coalesced 01 01:00: The run was skipped: the task is disabled; the history records it together with the run for 2026-03-01T02:00:00.000Z",
    );
  });

  test("explains times within a pause or while disabled, past and future", async () => {
    const { scheduling, task, schedule } = await open();
    await using _ = scheduling;
    const step = (verb: string, body?: object) => scheduling.send("POST", `/v1/schedules/${schedule.id}/${verb}`, body);
    await step("pause");
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe("not_due 01 01:00: The schedule is paused");
    await scheduling.clock.advance(hourMs);
    await step("resume");
    await step("disable");
    await scheduling.clock.advance(hourMs);
    await step("enable");
    await step("pause", { until: "2026-03-01T04:00:00Z" });
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe(
      "not_due 01 01:00: The schedule was paused until 2026-03-01T01:30:00.000Z",
    );
    expect(await whyAt(scheduling, task.id, "01T02:00")).toBe(
      "not_due 01 02:00: The schedule was disabled until 2026-03-01T02:30:00.000Z",
    );
    expect(await whyAt(scheduling, task.id, "01T03:00")).toBe(
      "not_due 01 03:00: The schedule is paused until 2026-03-01T04:00:00.000Z",
    );
    expect(await whyAt(scheduling, task.id, "01T04:00")).toBe("upcoming 01 04:00: The run is not due yet");
  });

  test("states the present state of the schedule, whatever time it explains", async () => {
    const { scheduling, task, schedule } = await open();
    await using _ = scheduling;
    const step = (verb: string, body?: object) => scheduling.send("POST", `/v1/schedules/${schedule.id}/${verb}`, body);
    const whyNow = async (query = "") => {
      const { schedules } = await scheduling.get(`/v1/tasks/${task.id}/why${query}`);
      return schedules.map(({ state, paused_until, reason }: Record<string, string>) => [
        state,
        paused_until,
        reason,
      ])[0];
    };
    const none = "No run was scheduled at or before this time";
    expect(await whyNow()).toEqual([
      "enabled",
      null,
      `${none}; the next run is scheduled for 2026-03-01T01:00:00.000Z`,
    ]);
    await step("pause");
    expect(await whyNow()).toEqual(["paused", null, `${none}; the schedule is paused`]);
    await step("disable");
    expect(await whyNow()).toEqual(["disabled", null, `${none}; the schedule is disabled`]);
    await step("enable");
    await step("resume");
    await scheduling.clock.advance(hourMs);
    const ran = "The run is queued: the daemon's limit of 0 concurrent runs is reached";
    await step("pause", { until: "2026-03-01T04:00:00Z" });
    expect(await whyNow()).toEqual(["paused", "2026-03-01T04:00:00.000Z", ran]);
    expect(await whyNow("?at=2026-03-01T05:00:00Z")).toEqual([
      "paused",
      "2026-03-01T04:00:00.000Z",
      "The run is not due yet",
    ]);
    await step("disable");
    expect(await whyNow("?at=2026-03-01T01:00:00Z")).toEqual(["disabled", null, ran]);
    await step("enable");
    await scheduling.clock.advance(2.5 * hourMs);
    expect((await whyNow())?.slice(0, 2)).toEqual(["enabled", null]);
  });

  test("explains a time that the schedule did not have yet", async () => {
    const { scheduling, task, schedule } = await open();
    await using _ = scheduling;
    await scheduling.clock.advance(hourMs);
    await scheduling.send("PATCH", `/v1/schedules/${schedule.id}`, { expression: "*/20 * * * *" });
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe(
      "queued 01 01:00: The run is queued: the daemon's limit of 0 concurrent runs is reached",
    );
    expect(await whyAt(scheduling, task.id, "01T01:25")).toBe(
      "not_due 01 01:20: The schedule had other times until it was changed at 2026-03-01T01:30:00.000Z",
    );
    expect(await whyAt(scheduling, task.id, "01T01:40")).toBe("upcoming 01 01:40: The run is not due yet");
  });

  test("explains a time that jitter delays, and one that a pause removed", async () => {
    const { scheduling, task, schedule } = await open();
    await using _ = scheduling;
    await scheduling.send("PATCH", `/v1/schedules/${schedule.id}`, { jitter: "12h" });
    await scheduling.clock.advance(0.5 * hourMs + 1);
    const [{ due_at }] = (
      await scheduling.send("POST", "/v1/schedules/preview", { schedule_id: schedule.id, from: start, count: 1 })
    ).occurrences;
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe(
      `upcoming 01 01:00: The run is not due yet; with its jitter it is due at ${due_at}`,
    );
    await scheduling.send("POST", `/v1/schedules/${schedule.id}/pause`);
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe("not_due 01 01:00: The schedule is paused");
  });

  test("explains a time whose row was pruned", async () => {
    const { scheduling, task } = await open();
    await using _ = scheduling;
    await scheduling.clock.advance(hourMs);
    await scheduling.stop();
    const sqlite = new BetterSqlite(join(scheduling.dataDir, "belfry.db"));
    sqlite.prepare("DELETE FROM runs").run();
    sqlite.close();
    await scheduling.start();
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe(
      "not_due 01 01:00: There is no record of this time: its history was deleted by retention",
    );
  });

  test("explains how a run ended, and that it was late", async () => {
    // the runner uses the machine's clock, which is ahead of the manual one
    await using scheduling = await openScheduling(start, { config: { runsAtOnceMax: 1 } });
    const task = await scheduling.addTask({ command: { kind: "shell", script: "exit 3" } });
    await scheduling.addSchedule(task.id, everyHour);
    await scheduling.clock.advance(hourMs);
    const [run] = await untilRound(scheduling, "its end", async () => {
      const runs = await scheduling.runs(task.id);
      return runs[0]?.ended_at === null ? null : runs;
    });
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe(
      `ran 01 01:00: The run started late, at ${run!.started_at}, and exited with code 3`,
    );
  });

  test("explains a boot schedule with and without an earlier boot", async () => {
    await using scheduling = await openScheduling(start, { bootId: "first" });
    const task = await scheduling.addTask();
    await scheduling.addSchedule(task.id, { kind: "boot" });
    expect(await whyAt(scheduling, task.id, "01T01:00")).toBe(
      "not_due: The schedule runs once after each boot of the machine, and no boot was recorded at or before this time",
    );
    await scheduling.stop();
    await scheduling.clock.advance(hourMs);
    await scheduling.start({ bootId: "second" });
    expect(await whyAt(scheduling, task.id, "01T02:00")).toBe(
      "queued 01 01:30: The run is queued: the daemon's limit of 0 concurrent runs is reached",
    );
  });
});

describe("the task's own readiness is reported separately", () => {
  test("and a task without schedules, chains and watchers has no readiness to report", async () => {
    await using scheduling = await openScheduling(start);
    const task = await scheduling.addTask({ command: null });
    expect(await scheduling.get(`/v1/tasks/${task.id}/why`)).toEqual({
      at: "2026-03-01T00:30:00.000Z",
      readiness: "not_ready",
      reason: "command_incomplete",
      // the daemon of these tests starts nothing
      limit: expect.objectContaining({ reason: "daemon_limit" }),
      schedules: [],
      chains: [],
      watchers: [],
      triggers: [],
      manual: null,
    });
  });
});
