import { describe, expect, test } from "vitest";
import { soleSource } from "../../src/features/runs/source.ts";
import type { Json } from "../support/harness.ts";
import { makeChain, makeTask, makeTrigger, muchLater } from "../support/api.ts";
import { type TestApplication, openTestApplication } from "../support/application.ts";

/** Reads the state of a run before the next turn of the event loop: the result of its own write. */
const stateOf = ({ inside }: TestApplication, runId: string): string | undefined => inside.runStore.find(runId)?.state;

function requestByHand({ inside }: TestApplication, taskId: string): string {
  return inside.write((unit) => inside.requests.requestByHand(unit, inside.tasks.get(taskId), null).id);
}

describe("a run that can start gets its attempt in the write that requests it", () => {
  test("by hand", async () => {
    await using app = await openTestApplication({ canRun: true });
    const { id } = await makeTask(app);
    expect(stateOf(app, requestByHand(app, id))).toBe("dispatching");
  });

  test("by a trigger", async () => {
    await using app = await openTestApplication({ canRun: true });
    const { key } = await makeTrigger(app);
    const { run_id } = app.inside.write((unit) => app.inside.fire.fire(unit, key));
    expect(stateOf(app, run_id)).toBe("dispatching");
  });

  test("by a chain, in the write that ends the run before it", async () => {
    await using app = await openTestApplication({ canRun: true });
    const chain = await makeChain(app);
    const { inside } = app;
    inside.write((unit) => {
      const task = inside.tasks.get(chain.source_task_id);
      const run = inside.requests.requestFor(unit, task, soleSource({ trigger: "manual" }, unit.now, unit.now));
      const attempt = inside.lifecycle.dispatch(unit, run, "test");
      inside.lifecycle.endAttempt(unit, attempt.id, ended(unit.now));
    });
    const followers = inside.runStore.list({ taskId: chain.target_task_id }, { limit: 10, after: null });
    expect(followers.map(({ state }) => state)).toEqual(["dispatching"]);
  });

  test("if one write requests many: as many as the limit allows, the oldest first", async () => {
    await using app = await openTestApplication({ canRun: true, config: { runsAtOnceMax: 2 } });
    const { inside } = app;
    const tasks: Json[] = [];
    for (let made = 0; made < 4; made++) tasks.push(await makeTask(app));
    const ids = inside.write((unit) =>
      tasks.map(({ id }) => inside.requests.requestByHand(unit, inside.tasks.get(id), null).id),
    );
    // runs of one write are equally old: the order of their ids decides
    const states = ids.toSorted().map((id) => stateOf(app, id));
    expect(states).toEqual(["dispatching", "dispatching", "queued", "queued"]);
  });
});

describe("a run that cannot start waits", () => {
  test("for its scheduled time", async () => {
    await using app = await openTestApplication({ canRun: true });
    const task = await makeTask(app);
    const run = await app.call("POST", `/v1/tasks/${task.id}/run`, { scheduled_for: muchLater });
    expect(stateOf(app, run.json.id)).toBe("queued");
  });

  test("for the earlier run of its task", async () => {
    await using app = await openTestApplication({ canRun: true });
    const { id } = await makeTask(app);
    expect([requestByHand(app, id), requestByHand(app, id)].map((run) => stateOf(app, run))).toEqual([
      "dispatching",
      "queued",
    ]);
  });
});

test("a write that is rolled back removes the attempt", async () => {
  await using app = await openTestApplication({ canRun: true });
  const { inside } = app;
  const { id } = await makeTask(app);
  let runId = "";
  const failing = () =>
    inside.write((unit) => {
      runId = inside.requests.requestByHand(unit, inside.tasks.get(id), null).id;
      throw new Error("after the request");
    });
  expect(failing).toThrow("after the request");
  expect(inside.runStore.find(runId)).toBeUndefined();
  expect(stateOf(app, requestByHand(app, id))).toBe("dispatching");
});

function ended(at: number) {
  const none = { written: 0, cut: 0 };
  return {
    cause: "exit",
    exitCode: 0,
    signal: null,
    detail: null,
    pid: 4_321,
    startedAt: at,
    endedAt: at,
    durationMs: 0,
    stdout: none,
    stderr: none,
  } as const;
}
