import { describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { openScheduling } from "../support/schedules.ts";

/* Times are in the years 1970 to 9999 once their offset is applied: those in requests, and those computed from them. */
const lastDay = "9999-12-31T00:00:00Z";
const last = "9999-12-31T23:59:59.999Z";

/** Lists every text in an answer that looks like a time, even with a year outside 1970 to 9999. */
function timesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return /^[+-]?\d{4,6}-\d\d-\d\dT/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(timesIn) : [];
}

function expectWithin(answer: Json): void {
  for (const text of [...timesIn(answer), ...JSON.stringify(answer).matchAll(/[+-]\d{6}-\d\d/g)].map(String)) {
    expect(text).toMatch(/^\d{4}-/);
    expect(Date.parse(text)).toBeGreaterThanOrEqual(0);
    expect(Date.parse(text)).toBeLessThanOrEqual(Date.parse(last));
  }
}

const outside = [
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00+00:01",
  "1970-01-01T00:00:00+12:00",
  "9999-12-31T23:59:59-00:01",
  "9999-12-31T23:59:59-12:00",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
];

describe("a time outside the years 1970 to 9999 is refused at its member", () => {
  const draft = { kind: "cron", expression: "0 3 * * *" };
  const calls: Readonly<Record<string, (at: string, task: string, schedule: string) => [string, string, object?]>> = {
    at: (at, task_id) => ["POST", "/v1/schedules", { task_id, kind: "once", at }],
    starts_at: (at, task_id) => ["POST", "/v1/schedules", { task_id, ...draft, starts_at: at }],
    ends_at: (at, _, schedule) => ["PATCH", `/v1/schedules/${schedule}`, { ends_at: at }],
    until: (at, _, schedule) => ["POST", `/v1/schedules/${schedule}/pause`, { until: at }],
    from: (at) => ["POST", "/v1/schedules/preview", { draft, from: at }],
    scheduled_for: (at, task) => ["POST", `/v1/tasks/${task}/run`, { scheduled_for: at }],
    since: (at) => ["GET", `/v1/runs?since=${encodeURIComponent(at)}`],
  };
  test.each(Object.entries(calls))("%s", async (field, call) => {
    await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
    const task = await scheduling.addTask();
    const schedule = await scheduling.addSchedule(task.id, draft);
    for (const at of outside) {
      const { status, json } = await scheduling.call(...call(at, task.id, schedule.id));
      expect([status, json.error?.field, json.error?.message], at).toEqual([
        400,
        field,
        `${field} must be in the years 1970 to 9999`,
      ]);
    }
  });
});

test("the first and the last time of these years are valid, in any offset", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
  for (const at of ["1970-01-01T00:00:00Z", "1970-01-01T12:00:00+12:00", "1969-12-31T12:00:00-12:00"])
    expect((await scheduling.get(`/v1/agenda?from=${encodeURIComponent(at)}&until=${last}`)).from).toBe(
      "1970-01-01T00:00:00.000Z",
    );
  for (const at of [last, "9999-12-31T11:59:59.999-12:00"])
    expect((await scheduling.get(`/v1/agenda?until=${at}`)).until).toBe(last);
});

test("an agenda that begins on the last day ends with that day", async () => {
  await using scheduling = await openScheduling(lastDay);
  const task = await scheduling.addTask();
  await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 * * * *", time_zone: "Pacific/Kiritimati" });
  await scheduling.addSchedule(task.id, { kind: "interval", every: "50m" });
  for (const query of ["", `?from=${last}`, "?from=9999-12-31T20:00:00Z", `?until=${last}`]) {
    const agenda = await scheduling.get(`/v1/agenda${query}`);
    expect(agenda.until).toBe(last);
    expectWithin(agenda);
  }
});

test("jitter, zones and lengths never produce a time after the last day", async () => {
  await using scheduling = await openScheduling(lastDay);
  const task = await scheduling.addTask();
  for (const timing of [
    { kind: "cron", expression: "* * * * *", time_zone: "Pacific/Kiritimati", jitter: "1d" },
    { kind: "cron", expression: "59 23 31 12 *", time_zone: "Pacific/Pago_Pago" },
    { kind: "interval", every: "7h", jitter: "1d" },
    { kind: "interval", every: "30d", starts_at: last },
    { kind: "once", at: last, jitter: "1d" },
  ]) {
    for (const more of [{}, { from: last }, { from: "9999-12-31T12:00:00Z" }]) {
      const preview = await scheduling.call("POST", "/v1/schedules/preview", { draft: timing, count: 1_000, ...more });
      expectWithin(preview.json);
    }
    const { status, json } = await scheduling.call("POST", "/v1/schedules", { task_id: task.id, ...timing });
    expect([201, 400]).toContain(status);
    expectWithin(json);
    if (status !== 201) continue;
    expectWithin(await scheduling.send("POST", `/v1/schedules/${json.id}/pause`, { until: last }));
    expectWithin(await scheduling.get(`/v1/schedules/${json.id}`));
  }
  expectWithin(await scheduling.get(`/v1/tasks/${task.id}/why?at=${last}`));
  expectWithin(await scheduling.get("/v1/schedules"));
});

test("the first scheduled time has the local time of its zone", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
  const draft = { kind: "cron", expression: "0 19 * * *", time_zone: "America/New_York" };
  const preview = await scheduling.send("POST", "/v1/schedules/preview", {
    draft,
    count: 1,
    from: "1970-01-01T00:00:00Z",
  });
  expect(preview.occurrences[0]).toMatchObject({
    instant: "1970-01-02T00:00:00.000Z",
    local: "1970-01-01T19:00:00-05:00",
  });
});
