import { expect, test } from "vitest";
import { minuteMs, openScheduling, tell } from "./scheduling.ts";

const jittery = { kind: "cron", expression: "0 * * * *", jitter: "30m" };

test("an instant falls due between itself and its jitter, where the preview says, also after a restart", async () => {
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

test("instants closer together than their jitter run in their own order, each once", async () => {
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

test("an instant whose jitter had not passed when the jitter was changed still runs", async () => {
  await using scheduling = await openScheduling("2026-03-01T00:59:59Z");
  const task = await scheduling.addTask();
  const { id } = await scheduling.addSchedule(task.id, { ...jittery, jitter: "1d" });
  await scheduling.clock.advance(minuteMs);
  expect(await scheduling.runs(task.id)).toEqual([]);
  await scheduling.send("PATCH", `/v1/schedules/${id}`, { jitter: "0s" });
  await scheduling.clock.advance(1);
  expect((await scheduling.runs(task.id)).map(tell)).toEqual(["01 01:00 queued"]);
});
