import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { openScheduling } from "../support/schedules.ts";

const now = "2026-03-01T12:00:00.000Z";
const past = "2026-03-01T11:59:59Z";
const soon = "2026-03-01T13:00:00Z";
const later = "2026-03-02T12:00:00Z";

const cron = { kind: "cron", expression: "0 3 * * *" };
const interval = { kind: "interval", every: "1h" };
const once = { kind: "once", at: soon };

/** The draft or patch, the rejected member, and a part of its message. */
const refusedDrafts: readonly (readonly [object, field: string, message: string])[] = [
  [{ ...cron, expression: "0 3 * *" }, "expression", "has 4 fields"],
  [{ ...cron, expression: "0 25 * * *" }, "expression", "has an invalid hour: 25 is not a number from 0 to 23"],
  [{ ...cron, expression: "0 0 31 2 *" }, "expression", "never runs"],
  [{ ...cron, expression: "@reboot" }, "expression", 'kind: "boot"'],
  [{ ...cron, time_zone: "Europe/Berln" }, "time_zone", 'did you mean "Europe/Berlin"'],
  [{ ...cron, time_zone: "+02:00" }, "time_zone", "has no daylight saving rules"],
  [{ ...cron, every: "1h" }, "every", ""],
  [{ ...interval, every: "500ms" }, "every", "between 1s"],
  [{ ...interval, every: "often" }, "every", "a number and a unit"],
  [{ ...once, at: now }, "at", "is in the past"],
  [{ ...once, at: past }, "at", "is in the past"],
  [{ ...once, starts_at: later }, "at", "is earlier than starts_at"],
  [{ ...once, at: later, ends_at: soon }, "at", "is later than ends_at"],
  [{ ...cron, ends_at: now }, "ends_at", "is in the past"],
  [{ kind: "boot", ends_at: past }, "ends_at", "is in the past"],
  [{ ...cron, starts_at: later, ends_at: soon }, "ends_at", "is earlier than starts_at"],
  [{ kind: "boot", starts_at: later, ends_at: soon }, "ends_at", "is earlier than starts_at"],
  [{ ...cron, ends_at: "2026-03-02T02:59:59Z" }, "ends_at", "is earlier than the next scheduled time"],
  [{ ...interval, ends_at: "2026-03-01T12:59:59Z" }, "ends_at", "is earlier than the next scheduled time"],
  [{ ...cron, expression: "0 0 30 2 *", ends_at: later }, "expression", "none of its months has such a day"],
  [
    { kind: "once", at: "2990-01-01T00:00:00Z", spread: true },
    "spread",
    "only for schedules of the kinds cron and interval",
  ],
  [{ kind: "boot", spread: true }, "spread", "only for schedules of the kinds cron and interval"],
  [{ ...cron, jitter: "2d" }, "jitter", "between 0s and 1d"],
  [{ ...cron, misfire: { policy: "never" } }, "misfire.policy", ""],
  [{ ...cron, misfire: { max_runs: 0 } }, "misfire.max_runs", ""],
  [{ ...cron, dst: { gap: "twice" } }, "dst.gap", ""],
];

describe("an invalid schedule", () => {
  let scheduling: Awaited<ReturnType<typeof openScheduling>>;
  let task: Json;
  beforeAll(async () => {
    scheduling = await openScheduling(now);
    task = await scheduling.addTask();
  });
  afterAll(() => scheduling[Symbol.asyncDispose]());

  const everything = async () => JSON.stringify((await scheduling.get("/v1/schedules?limit=1000")).schedules);
  const refuse = async (method: string, path: string, body: unknown) => {
    const before = await everything();
    const { status, json } = await scheduling.call(method, path, body);
    expect(await everything()).toBe(before);
    return { status, ...json.error };
  };

  test.each(refusedDrafts)("%j is refused at its member, on creation and on preview", async (draft, field, message) => {
    const expected = { status: 400, code: "validation_failed", message: expect.stringContaining(message) };
    expect(await refuse("POST", "/v1/schedules", { task_id: task.id, ...draft })).toMatchObject({ ...expected, field });
    const preview = await refuse("POST", "/v1/schedules/preview", { draft });
    expect(preview).toMatchObject({ ...expected, field: `draft.${field}` });
  });

  const refusedPatches: readonly (readonly [made: object, patch: object, field: string, message: string])[] = [
    [cron, { expression: "61 * * * *" }, "expression", "minute"],
    [cron, { time_zone: "Nowhere/At_All" }, "time_zone", "not a known time zone"],
    [cron, { every: "1h" }, "every", "is only for schedules of kind interval"],
    [interval, { expression: "* * * * *" }, "expression", "is only for schedules of kind cron"],
    [interval, { dst: { gap: "skip" } }, "dst", "is only for schedules of kind cron"],
    [interval, { at: later }, "at", "is only for schedules of kind once"],
    [once, { time_zone: "UTC" }, "time_zone", "is only for schedules of kind cron"],
    [once, { at: past }, "at", "is in the past"],
    [once, { starts_at: later }, "at", "is earlier than starts_at"],
    [cron, { ends_at: past }, "ends_at", "is in the past"],
    [cron, { ends_at: soon }, "ends_at", "is earlier than the next scheduled time"],
    [cron, { starts_at: later, ends_at: soon }, "ends_at", "is earlier than starts_at"],
    [{ ...interval, ends_at: later }, { every: "2d" }, "ends_at", "is earlier than the next scheduled time"],
    [cron, { name: "TAKEN" }, "name", "already exists for this task"],
    [cron, { kind: "boot" }, "kind", ""],
    [cron, {}, "", ""],
  ];
  test.each(refusedPatches)("%j is not patched with %j", async (made, patch, field, message) => {
    const other = await scheduling.addSchedule(task.id, { ...cron, name: "taken" });
    const { id } = await scheduling.addSchedule(task.id, made);
    const refusal = await refuse("PATCH", `/v1/schedules/${id}`, patch);
    expect(refusal).toMatchObject({
      status: 400,
      code: "validation_failed",
      message: expect.stringContaining(message),
    });
    if (field !== "") expect(refusal.field).toBe(field);
    for (const schedule of [other.id, id]) await scheduling.send("DELETE", `/v1/schedules/${schedule}`);
  });

  test("is not paused until a time that has passed", async () => {
    const { id } = await scheduling.addSchedule(task.id, { ...cron, name: "p" });
    const refusal = await refuse("POST", `/v1/schedules/${id}/pause`, { until: now });
    expect(refusal).toMatchObject({
      status: 400,
      field: "until",
      message: expect.stringContaining("must be in the future"),
    });
  });

  test("is not found by an id or task that does not exist", async () => {
    const nobody = "sch_00000000000000000000";
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/enable"],
      ["POST", "/pause"],
      ["POST", "/resume"],
    ] as const) {
      const body = method === "PATCH" ? { name: "x" } : undefined;
      expect(await refuse(method, `/v1/schedules/${nobody}${path}`, body)).toMatchObject({ status: 404, field: null });
    }
    expect(await refuse("POST", "/v1/schedules", { task_id: "tsk_00000000000000000000", ...cron })).toMatchObject({
      status: 404,
      field: "task_id",
    });
    expect(await refuse("POST", "/v1/schedules/preview", { schedule_id: nobody })).toMatchObject({
      status: 404,
      field: "schedule_id",
    });
  });

  test("with the name of another schedule of its task, in any case, is refused; another task may use the name", async () => {
    await scheduling.addSchedule(task.id, { ...cron, name: "Nächtlich" });
    expect(await refuse("POST", "/v1/schedules", { task_id: task.id, ...cron, name: "NÄCHTLICH" })).toMatchObject({
      status: 400,
      field: "name",
    });
    const another = await scheduling.addTask({ name: "another" });
    expect((await scheduling.addSchedule(another.id, { ...cron, name: "Nächtlich" })).name).toBe("Nächtlich");
  });
});

describe("a schedule", () => {
  test("without a name is named after its expression, with a number if that name is taken", async () => {
    await using scheduling = await openScheduling(now);
    const task = await scheduling.addTask();
    const nameOf = async (timing: object): Promise<string> => (await scheduling.addSchedule(task.id, timing)).name;
    expect(await nameOf(cron)).toBe("0 3 * * *");
    expect(await nameOf(cron)).toBe("0 3 * * * (2)");
    expect(await nameOf({ ...cron, expression: "0  3 * *   *" })).toBe("0 3 * * * (3)");
    expect(await nameOf(interval)).toBe("every 1h");
    expect(await nameOf(once)).toBe("at 2026-03-01T13:00:00.000Z");
    expect(await nameOf({ kind: "boot" })).toBe("at boot");
    const minutes = Array.from({ length: 60 }, (_, minute) => minute).join(",");
    expect((await nameOf({ ...cron, expression: `${minutes} ${minutes.slice(0, 60)} * * *` })).length).toBeLessThan(
      200,
    );
  });

  test("without a name of its own is renamed with its times, and a given name stays", async () => {
    await using scheduling = await openScheduling(now);
    const task = await scheduling.addTask();
    const patch = async ({ id }: { readonly id: string }, body: object) =>
      (await scheduling.call("PATCH", `/v1/schedules/${id}`, body)).json.name;
    const [first, second] = [await scheduling.addSchedule(task.id, cron), await scheduling.addSchedule(task.id, cron)];
    const named = await scheduling.addSchedule(task.id, { ...cron, name: "nightly" });
    const other = { expression: "30 4 * * *" };
    expect(await patch(second, other)).toBe("30 4 * * *");
    expect(await patch(first, other)).toBe("30 4 * * * (2)");
    expect(await patch(first, { jitter: "5m" })).toBe("30 4 * * * (2)");
    expect(await patch(second, { ...other, name: "early" })).toBe("early");
    expect(await patch(named, other)).toBe("nightly");
    const hourly = await scheduling.addSchedule(task.id, interval);
    expect(await patch(hourly, { every: "90m" })).toBe("every 90m");
  });

  test("that has ended keeps its times, may be renamed, and continues with new times", async () => {
    await using scheduling = await openScheduling(now);
    const task = await scheduling.addTask();
    const { id } = await scheduling.addSchedule(task.id, once);
    await scheduling.clock.advance(2 * 3_600_000);
    expect(await scheduling.get(`/v1/schedules/${id}`)).toMatchObject({
      next_run_at: null,
      last_run_at: "2026-03-01T13:00:00.000Z",
    });
    expect(await scheduling.send("PATCH", `/v1/schedules/${id}`, { name: "done", enabled: false })).toMatchObject({
      name: "done",
      next_run_at: null,
    });
    expect(await scheduling.send("PATCH", `/v1/schedules/${id}`, { at: later, enabled: true })).toMatchObject({
      next_run_at: "2026-03-02T12:00:00.000Z",
    });
  });

  test("of an interval counts from its start, or else from its creation; another length restarts the count", async () => {
    await using scheduling = await openScheduling(now);
    const task = await scheduling.addTask();
    const { id, next_run_at } = await scheduling.addSchedule(task.id, { ...interval, every: "40m" });
    const patch = async (body: object): Promise<string> =>
      (await scheduling.send("PATCH", `/v1/schedules/${id}`, body)).next_run_at.slice(8, 16);
    expect(next_run_at).toBe("2026-03-01T12:40:00.000Z");
    await scheduling.clock.advance(10 * 60_000);
    expect(await patch({ name: "other" })).toBe("01T12:40");
    expect(await patch({ every: "40m" })).toBe("01T12:40");
    expect(await patch({ every: "30m" })).toBe("01T12:40");
    expect(await patch({ every: "1h" })).toBe("01T13:10");
    expect(await patch({ starts_at: "2026-03-01T11:45:00Z" })).toBe("01T12:45");
    expect(await patch({ starts_at: "2026-03-01T20:00:00Z" })).toBe("01T20:00");
    expect(await patch({ every: "50m" })).toBe("01T20:00");
    expect(await patch({ starts_at: null })).toBe("01T12:30");
  });

  test("that is patched records no row for its former times, nor for new times in the past", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    const { id } = await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 4 * * *" });
    await scheduling.clock.advance(3 * 3_600_000);
    await scheduling.send("PATCH", `/v1/schedules/${id}`, { expression: "0 1-6 * * *" });
    await scheduling.clock.advance(3 * 3_600_000);
    expect((await scheduling.runs(task.id)).map((run) => run.scheduled_for.slice(11, 16))).toEqual([
      "04:00",
      "05:00",
      "06:00",
    ]);
  });

  test("is deleted with its task, and its history stays", async () => {
    await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
    const task = await scheduling.addTask();
    const { id } = await scheduling.addSchedule(task.id, { kind: "cron", expression: "0 * * * *", name: "x" });
    await scheduling.send("POST", `/v1/schedules/${id}/pause`);
    await scheduling.send("POST", `/v1/schedules/${id}/resume`);
    await scheduling.send("POST", `/v1/tasks/${task.id}/disable`);
    await scheduling.clock.advance(3_600_000);
    await scheduling.send("DELETE", `/v1/tasks/${task.id}`);
    expect((await scheduling.get("/v1/schedules")).schedules).toEqual([]);
    expect(await scheduling.runs(task.id)).toMatchObject([{ source_schedule_id: id, state: "skipped" }]);
  });
});

describe("the list", () => {
  test("is filtered by task, group, state, task label and part of the name", async () => {
    await using scheduling = await openScheduling(now);
    const group = await scheduling.send("POST", "/v1/groups", { name: "g" });
    const [inside, outside] = [
      await scheduling.addTask({ name: "in", group_id: group.id, labels: { team: "web" } }),
      await scheduling.addTask({ name: "out", labels: { team: "db", big: "" } }),
    ];
    await scheduling.addSchedule(inside.id, { ...cron, name: "Backup nightly" });
    await scheduling.addSchedule(outside.id, { ...cron, name: "report", enabled: false });
    const names = async (query: string) =>
      (await scheduling.get(`/v1/schedules?${query}`)).schedules.map(({ name }: Json) => name).toSorted();
    expect(await names("")).toEqual(["Backup nightly", "report"]);
    expect(await names(`task_id=${outside.id}`)).toEqual(["report"]);
    expect(await names(`group_id=${group.id}`)).toEqual(["Backup nightly"]);
    expect(await names("enabled=true")).toEqual(["Backup nightly"]);
    expect(await names("enabled=false")).toEqual(["report"]);
    expect(await names("label=team")).toEqual(["Backup nightly", "report"]);
    expect(await names("label=team:web")).toEqual(["Backup nightly"]);
    expect(await names("label=big:")).toEqual(["report"]);
    expect(await names("label=team:web&enabled=false")).toEqual([]);
    expect(await names(`label=team&group_id=${group.id}&enabled=true`)).toEqual(["Backup nightly"]);
    expect(await names("label=other")).toEqual([]);
    expect(await names("q=NIGHT")).toEqual(["Backup nightly"]);
  });
});
