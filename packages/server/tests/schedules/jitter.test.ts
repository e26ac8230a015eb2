import { expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { minuteMs, openScheduling, describeRow } from "../support/schedules.ts";

const jittery = { kind: "cron", expression: "0 * * * *", jitter: "30m" };

test("a run is due between its scheduled time and the end of its jitter, as previewed, even after a restart", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:30:00Z");
  const task = await scheduling.addTask();
  const { id } = await scheduling.addSchedule(task.id, jittery);
  const preview = () => scheduling.send("POST", "/v1/schedules/preview", { schedule_id: id, count: 3 });
  const before = await preview();
  await scheduling.stop();
  await scheduling.start();
  expect(await preview()).toEqual(before);

  const dues: number[] = [];
  for (const { instant, due_at } of before.occurrences) {
    const due = Date.parse(due_at);
    dues.push(due - Date.parse(instant));
    expect(dues.at(-1)).toBeGreaterThanOrEqual(0);
    expect(dues.at(-1)).toBeLessThanOrEqual(30 * minuteMs);
    const count = (await scheduling.runs(task.id)).length;
    await scheduling.clock.advance(due - 1 - scheduling.clock.now());
    expect(await scheduling.runs(task.id)).toHaveLength(count);
    await scheduling.clock.advance(1);
    expect((await scheduling.runs(task.id)).at(-1)).toMatchObject({ scheduled_for: instant, state: "queued" });
  }
  expect(new Set(dues).size).toBe(3);
});

test("scheduled times closer together than their jitter run once each, in order", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
  const task = await scheduling.addTask();
  await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *", jitter: "10m" });
  const seen: string[] = [];
  for (let minute = 0; minute < 40; minute++) {
    await scheduling.clock.advance(minuteMs);
    const known = (await scheduling.runs(task.id)).map((run) => run.scheduled_for as string);
    expect(known.slice(0, seen.length)).toEqual(seen);
    seen.splice(0, seen.length, ...known);
  }
  expect(seen.length).toBeGreaterThanOrEqual(30);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a run whose jitter had not passed when the jitter was changed still starts", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:59:59Z");
  const task = await scheduling.addTask();
  const { id } = await scheduling.addSchedule(task.id, { ...jittery, jitter: "1d" });
  await scheduling.clock.advance(minuteMs);
  expect(await scheduling.runs(task.id)).toEqual([]);
  await scheduling.send("PATCH", `/v1/schedules/${id}`, { jitter: "0s" });
  await scheduling.clock.advance(1);
  expect((await scheduling.runs(task.id)).map(describeRow)).toEqual(["01 01:00 queued"]);
});

test("scheduled times closer together than their jitter are due as preview and agenda show, in order", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
  const task = await scheduling.addTask();
  const { id } = await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *", jitter: "10m" });
  const draft = { kind: "cron", expression: "* * * * *", jitter: "10m" };
  const preview = async (from?: string): Promise<Json[]> =>
    (await scheduling.send("POST", "/v1/schedules/preview", { schedule_id: id, count: 30, from })).occurrences;
  const whole = await preview();
  const dues = whole.map(({ due_at }) => due_at as string);
  expect(dues).toEqual(dues.toSorted());
  const ofDraft = (await scheduling.send("POST", "/v1/schedules/preview", { draft, count: 30 })).occurrences;
  expect(ofDraft.map((o: Json) => o.due_at)).toEqual(ofDraft.map((o: Json) => o.due_at).toSorted());
  const dueAts = (occurrences: readonly Json[]) => new Map(occurrences.map((o) => [o.instant ?? o.at, o.due_at]));
  const expectSame = (some: readonly Json[]) => {
    const known = dueAts(whole);
    const shared = some.filter((o) => known.has(o.instant ?? o.at));
    expect(shared.length).toBeGreaterThan(5);
    for (const o of shared)
      expect([o.instant ?? o.at, o.due_at]).toEqual([o.instant ?? o.at, known.get(o.instant ?? o.at)]);
  };
  expectSame(await preview("2026-03-01T00:20:00Z"));
  for (const minutes of [0, 5, 12]) {
    await scheduling.clock.advance(Date.parse("2026-03-01T00:00:45Z") + minutes * minuteMs - scheduling.clock.now());
    expectSame(await preview());
    expectSame((await scheduling.get("/v1/agenda?limit=30")).entries);
  }
  for (const due of [...new Set(dues.slice(0, 12))].map((text) => Date.parse(text))) {
    if (due <= scheduling.clock.now()) continue;
    const countBy = (instant: number): number => dues.filter((other) => Date.parse(other) <= instant).length;
    await scheduling.clock.advance(due - 1 - scheduling.clock.now());
    expect(await scheduling.runs(task.id)).toHaveLength(countBy(due - 1));
    await scheduling.clock.advance(1);
    expect(await scheduling.runs(task.id)).toHaveLength(countBy(due));
  }
});

test("why shows the due time of a run that waits for an earlier run, and does not call it late", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:30Z");
  const task = await scheduling.addTask();
  const { id } = await scheduling.addSchedule(task.id, { kind: "cron", expression: "* * * * *", jitter: "30m" });
  const { occurrences } = await scheduling.send("POST", "/v1/schedules/preview", { schedule_id: id, count: 40 });
  // the jitter of this time would make it due earlier, but it waits for the time before
  const held = occurrences.find((o: Json, index: number) => index > 0 && o.due_at === occurrences[index - 1].due_at);
  await scheduling.clock.advance(Date.parse(held.instant) + 1 - scheduling.clock.now());
  const why = await scheduling.get(`/v1/tasks/${task.id}/why?at=${held.instant}`);
  expect(why.schedules).toMatchObject([{ decision: "upcoming", reason: expect.stringContaining(held.due_at) }]);
});

test("a preview of a time each second with a day of jitter reads no more earlier times than necessary", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:00:00Z");
  const draft = { kind: "cron", expression: "* * * * * *", jitter: "1d" };
  const body = { draft, count: 1_000, from: "2026-03-05T00:00:00Z" };
  const { occurrences } = await scheduling.send("POST", "/v1/schedules/preview", body);
  // some of the 86,400 times before the first one draw a jitter of almost a whole day
  expect(Date.parse(occurrences[0].due_at)).toBeGreaterThan(Date.parse("2026-03-05T23:00:00Z"));
});
