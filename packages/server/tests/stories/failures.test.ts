import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { makeTask } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { endRun } from "../support/runs.ts";

const now = Date.parse("2026-03-02T12:00:00.000Z");
const hourMs = 3_600_000;
const time = (at: number): string => new Date(at).toISOString();

test("every task that failed since a time is listed, however often others fail, the newest failure first", async () => {
  await using app = await openTestApplication({ clock: new ManualClock(time(now)) });
  const plant = async (task: Json, ends: readonly (readonly [at: number, outcome: "success" | "failure"])[]) => {
    const { id } = await endRun(app, task.id);
    const { runStore, write } = app.inside;
    const model = runStore.find(id)!;
    write(() => {
      for (const [index, [endedAt, outcome]] of ends.entries()) {
        const state = outcome === "success" ? "succeeded" : "failed";
        const at = { queuedAt: endedAt - 2, scheduledFor: endedAt - 2, startedAt: endedAt - 1, endedAt };
        const runId = `run_${task.id.slice(4, 14)}${String(index).padStart(10, "0")}`;
        runStore.insert({ ...model, id: runId, attemptId: null, state, outcome, ...at });
      }
    });
  };
  const [often, rare, former, gone] = [
    await makeTask(app, { name: "Often" }),
    await makeTask(app, { name: "Rare" }),
    await makeTask(app, { name: "Former" }),
    await makeTask(app, { name: "Gone" }),
  ];
  await plant(
    often,
    Array.from({ length: 1_500 }, (_, index) => [now - index * 1_000 - 1, "failure"] as const),
  );
  await plant(rare, [
    [now - 5 * hourMs, "failure"],
    [now - 4 * hourMs, "success"],
  ]);
  await plant(former, [[now - 30 * hourMs, "failure"]]);
  await plant(gone, [[now - 6 * hourMs, "failure"]]);
  await app.call("DELETE", `/v1/tasks/${gone.id}`);

  const read = async (query: string): Promise<Json> => (await app.call("GET", `/v1/failures?${query}`)).json;
  const since = `since=${time(now - 24 * hourMs)}`;
  const all = await read(since);
  expect(all.task_count).toBe(3);
  expect(all.tasks.map(({ last, failures, has_recovered }: Json) => [last.task_name, failures, has_recovered])).toEqual(
    [
      ["Often", 1_500, true],
      ["Rare", 1, true],
      ["Gone", 1, null],
    ],
  );
  expect(all.tasks[1]).toMatchObject({ task_id: rare.id, last: { ended_at: time(now - 5 * hourMs), state: "failed" } });
  const first = await read(`${since}&limit=1`);
  expect([first.tasks.length, first.task_count]).toEqual([1, 3]);
  expect((await read(`since=${time(now - 5 * hourMs)}`)).task_count).toBe(2);
  expect((await read(`since=${time(now + hourMs)}`)).tasks).toEqual([]);
  expect((await app.call("GET", "/v1/failures")).status).toBe(400);
});
