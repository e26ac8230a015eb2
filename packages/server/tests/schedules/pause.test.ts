import { describe, expect, test } from "vitest";
import { hourMs, minuteMs, openScheduling, short } from "../support/schedules.ts";

const everyHour = { kind: "cron", expression: "0 * * * *" };

/** Plays the steps of `story` at their hours, and returns the hours at which the schedule ran. */
async function hoursRun(story: Readonly<Record<number, readonly [step: string, body?: object]>>): Promise<string> {
  await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
  const task = await scheduling.addTask();
  const schedule = await scheduling.addSchedule(task.id, everyHour);
  for (let hour = 0; hour < 10; hour++) {
    const [step, body] = story[hour] ?? [];
    if (step === "stop") await scheduling.stop();
    else if (step === "start") await scheduling.start();
    else if (step === "patch") await scheduling.send("PATCH", `/v1/schedules/${schedule.id}`, body);
    else if (step !== undefined) await scheduling.send("POST", `/v1/schedules/${schedule.id}/${step}`, body);
    await scheduling.clock.advance(hourMs);
  }
  const runs = await scheduling.runs(task.id);
  expect(runs.every((run) => run.state === "queued" && run.coalesced === 0)).toBe(true);
  return runs.map((run) => Number(run.scheduled_for.slice(11, 13))).join(" ");
}

describe("a schedule that is paused or disabled has no due times and records no row", () => {
  test("from pause to resume", async () => {
    expect(await hoursRun({ 2: ["pause"], 5: ["resume"] })).toBe("1 2 6 7 8 9 10");
  });

  test("from pause until its end, which itself is due", async () => {
    expect(await hoursRun({ 2: ["pause", { until: "2026-03-01T05:00:00Z" }] })).toBe("1 2 5 6 7 8 9 10");
  });

  test("from pause until resume, if that comes before its end", async () => {
    expect(await hoursRun({ 2: ["pause", { until: "2026-03-01T09:00:00Z" }], 4: ["resume"] })).toBe("1 2 5 6 7 8 9 10");
  });

  test("from disable to enable", async () => {
    expect(await hoursRun({ 2: ["disable"], 5: ["enable"] })).toBe("1 2 6 7 8 9 10");
  });

  test("while either is in effect", async () => {
    expect(await hoursRun({ 1: ["pause"], 2: ["disable"], 3: ["resume"], 5: ["enable"] })).toBe("1 6 7 8 9 10");
    expect(await hoursRun({ 1: ["disable"], 2: ["pause"], 3: ["enable"], 5: ["resume"] })).toBe("1 6 7 8 9 10");
  });

  test("when a patch disables and enables it", async () => {
    expect(await hoursRun({ 2: ["patch", { enabled: false }], 5: ["patch", { enabled: true }] })).toBe(
      "1 2 6 7 8 9 10",
    );
  });

  test("even if the pause is found to be over only by a later step", async () => {
    expect(await hoursRun({ 2: ["pause", { until: "2026-03-01T05:45:00Z" }], 6: ["resume"] })).toBe("1 2 6 7 8 9 10");
    expect(await hoursRun({ 2: ["pause", { until: "2026-03-01T05:15:00Z" }], 5: ["patch", { name: "x" }] })).toBe(
      "1 2 6 7 8 9 10",
    );
  });

  test("even across a restart", async () => {
    expect(await hoursRun({ 2: ["pause", { until: "2026-03-01T06:00:00Z" }], 3: ["stop"], 5: ["start"] })).toBe(
      "1 2 6 7 8 9 10",
    );
    expect(await hoursRun({ 2: ["disable"], 3: ["stop"], 5: ["start"], 6: ["enable"] })).toBe("1 2 7 8 9 10");
  });
});

describe("a schedule shows", () => {
  test("no next run while it is disabled or paused without an end, and otherwise the first one after the pause", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const { id } = await scheduling.addSchedule((await scheduling.addTask()).id, everyHour);
    const after = async (step: string, body?: object) => {
      const { enabled, paused, paused_until, next_run_at } = await scheduling.send(
        "POST",
        `/v1/schedules/${id}/${step}`,
        body,
      );
      return { enabled, paused, paused_until, next: next_run_at === null ? null : short(next_run_at) };
    };
    expect(await after("disable")).toEqual({ enabled: false, paused: false, paused_until: null, next: null });
    expect(await after("pause")).toEqual({ enabled: false, paused: true, paused_until: null, next: null });
    expect(await after("enable")).toEqual({ enabled: true, paused: true, paused_until: null, next: null });
    const until = "2026-03-01T03:00:00.000Z";
    expect(await after("pause", { until })).toEqual({
      enabled: true,
      paused: true,
      paused_until: until,
      next: "01 03:00",
    });
    expect(await after("resume")).toEqual({ enabled: true, paused: false, paused_until: null, next: "01 01:00" });
  });

  test("a pause only while it lasts, and a revision that rises with each effective step", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const { id, revision } = await scheduling.addSchedule((await scheduling.addTask()).id, everyHour);
    const post = (step: string, body?: object) => scheduling.send("POST", `/v1/schedules/${id}/${step}`, body);
    expect((await post("enable")).revision).toBe(revision);
    expect((await post("resume")).revision).toBe(revision);
    expect((await post("pause", { until: "2026-03-01T00:45:00Z" })).revision).toBe(revision + 1);
    expect((await post("pause", { until: "2026-03-01T00:45:00Z" })).revision).toBe(revision + 1);
    await scheduling.clock.advance(20 * minuteMs);
    expect(await scheduling.get(`/v1/schedules/${id}`)).toMatchObject({
      paused: false,
      paused_until: null,
      revision: revision + 1,
    });
    expect((await post("resume")).revision).toBe(revision + 1);
  });
});
