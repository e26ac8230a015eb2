import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { makeTask } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { endRun } from "../support/runs.ts";
import type { Json } from "../support/harness.ts";

const hourMs = 3_600_000;
const startedAt = "2026-03-01T00:00:00.000Z";

/** The data of an event, without the lines around it. */
function readEvent(text: string): Json {
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

/** A daemon whose clock the test advances, with the `task` events that it publishes. */
async function startWorld() {
  const clock = new ManualClock(startedAt);
  const app = await openTestApplication({ clock });
  const events: Json[] = [];
  app.hub.subscribe(new Set(["task"]), {
    write: (frames) => {
      for (const frame of frames) if ("shared" in frame) events.push(readEvent(String(frame.shared)));
      return true;
    },
    end: () => {},
  });
  app.inside.overdueWatch.start();
  return {
    app,
    /** Advances the clock and returns whether the task is overdue then. */
    isOverdueAfter: async (task: Json, hours: number): Promise<boolean> => {
      await clock.advance(hours * hourMs);
      await app.inside.overdueWatch.rounds.idle();
      return (await app.call("GET", `/v1/tasks/${task.id}`)).json.overdue;
    },
    get: async (task: Json): Promise<Json> => (await app.call("GET", `/v1/tasks/${task.id}`)).json,
    patch: (task: Json, body: object) => app.call("PATCH", `/v1/tasks/${task.id}`, body),
    act: (task: Json, action: string) => app.call("POST", `/v1/tasks/${task.id}/${action}`),
    events,
    warnings: () => app.logged.filter(({ event }) => event === "task.overdue"),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const expecting = { expect_success_within: "24h" };

test("a task is overdue when the time has passed since its creation, and until it succeeds", async () => {
  await using world = await startWorld();
  const { app, isOverdueAfter, get } = world;
  const task = await makeTask(app, expecting);
  expect(await isOverdueAfter(task, 23)).toBe(false);
  await endRun(app, task.id, { exitCode: 1 });
  expect(await isOverdueAfter(task, 1)).toBe(true);
  await endRun(app, task.id, { exitCode: 1 });
  expect(await get(task)).toMatchObject({ overdue: true, last_success_at: null, revision: 1 });
  await endRun(app, task.id);
  expect(await get(task)).toMatchObject({ overdue: false, last_success_at: "2026-03-02T00:00:00.000Z", revision: 1 });
  expect(await isOverdueAfter(task, 23)).toBe(false);
  expect(await isOverdueAfter(task, 1)).toBe(true);
});

test("enabling, restoring and the first command begin the time again; a disabled or archived task is never overdue", async () => {
  await using world = await startWorld();
  const { app, isOverdueAfter, act, patch } = world;
  const task = await makeTask(app, expecting);
  await act(task, "disable");
  expect(await isOverdueAfter(task, 48)).toBe(false);
  await act(task, "enable");
  expect(await isOverdueAfter(task, 23)).toBe(false);
  expect(await isOverdueAfter(task, 1)).toBe(true);
  // an enabled task is not enabled again
  await act(task, "enable");
  expect(await isOverdueAfter(task, 0)).toBe(true);
  await act(task, "archive");
  expect(await isOverdueAfter(task, 0)).toBe(false);
  await act(task, "restore");
  expect(await isOverdueAfter(task, 23)).toBe(false);
  expect(await isOverdueAfter(task, 1)).toBe(true);
  const draft = await makeTask(app, { ...expecting, command: null });
  expect(await isOverdueAfter(draft, 48)).toBe(false);
  await patch(draft, { command: { kind: "exec", program: "true" } });
  expect(await isOverdueAfter(draft, 23)).toBe(false);
  expect(await isOverdueAfter(draft, 1)).toBe(true);
});

test("a changed time counts from the same moment, and without one the task is not overdue", async () => {
  await using world = await startWorld();
  const { app, isOverdueAfter, patch } = world;
  const task = await makeTask(app);
  expect(await isOverdueAfter(task, 100)).toBe(false);
  await patch(task, { expect_success_within: "99h" });
  expect(await isOverdueAfter(task, 0)).toBe(true);
  await patch(task, { expect_success_within: "101h" });
  expect(await isOverdueAfter(task, 0)).toBe(false);
  expect(await isOverdueAfter(task, 1)).toBe(true);
  await patch(task, { expect_success_within: null });
  expect(await isOverdueAfter(task, 0)).toBe(false);
});

test("a task that became overdue while no daemon ran is reported at the start", async () => {
  const clock = new ManualClock(startedAt);
  await using app = await openTestApplication({ clock });
  const task = await makeTask(app, expecting);
  await clock.advance(25 * hourMs);
  app.inside.overdueWatch.start();
  await app.inside.overdueWatch.rounds.after(1);
  const reports = app.logged.filter(({ event }) => event === "task.overdue");
  expect(reports.map(({ fields }) => fields?.["task_id"])).toEqual([task.id]);
});

test("the last success stays when retention deletes its run, and outlives the daemon's memory", async () => {
  await using world = await startWorld();
  const { app, get } = world;
  const task = await makeTask(app, { ...expecting, retention: { runs: 1 } });
  await endRun(app, task.id);
  await endRun(app, task.id, { exitCode: 1 });
  expect((await app.call("GET", `/v1/runs?task_id=${task.id}&outcome=success`)).json.runs).toEqual([]);
  expect((await get(task)).last_success_at).toBe(startedAt);
});

test("subscribers and the log get both turns once, without a revision", async () => {
  await using world = await startWorld();
  const { app, isOverdueAfter, events, warnings } = world;
  const task = await makeTask(app, expecting);
  const other = await makeTask(app, { expect_success_within: "30h" });
  const ofTask = () => events.filter(({ id }) => id === task.id).map(({ verb, task: shown }) => [verb, shown.overdue]);
  await isOverdueAfter(task, 25);
  await isOverdueAfter(task, 1);
  await until("both events", () => ofTask().length >= 2);
  expect(ofTask()).toEqual([
    ["created", false],
    ["updated", true],
  ]);
  expect(warnings()).toHaveLength(1);
  await endRun(app, task.id);
  await endRun(app, task.id);
  await app.call("POST", `/v1/tasks/${task.id}/disable`);
  await until("the later events", () => ofTask().length >= 4);
  // the second success publishes nothing, the disabling does
  expect(ofTask().slice(2)).toEqual([
    ["updated", false],
    ["updated", false],
  ]);
  expect(await isOverdueAfter(other, 4)).toBe(true);
  expect(warnings()).toHaveLength(2);
});
