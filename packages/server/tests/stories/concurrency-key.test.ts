import { seed } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { makeGroup, makeTask, muchLater } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { seeded } from "../support/seeded.ts";
import { simulateRunners, succeeded } from "../support/simulated-runners.ts";

/** A daemon whose tasks start no process: a test ends the active runs. */
async function startWorld(runsAtOnceMax = 100) {
  const runners = simulateRunners();
  const app = await openTestApplication({ canRun: true, openRunners: runners.open, config: { runsAtOnceMax } });
  const { runStore } = app.inside;
  return {
    app,
    run: async (task: Json): Promise<Json> => (await app.call("POST", `/v1/tasks/${task.id}/run`)).json,
    stateOf: (run: Json): string | undefined => runStore.find(run.id)?.state,
    end: async (...attemptIds: readonly string[]): Promise<void> => {
      if (attemptIds.length === 0) return;
      const { finished } = app.rounds.engine;
      for (const attempt of attemptIds) runners.report({ is: "ended", attempt, end: succeeded(Date.now()) });
      await app.rounds.engine.after(finished + 1);
      await app.rounds.engine.idle();
    },
    attemptOf: (run: Json): string => runStore.find(run.id)!.attemptId!,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const withKey = (limit: number, more: object = {}) => ({ concurrency: { limit, key: "db", ...more } });

describe("tasks with the same concurrency key", () => {
  test("share the lowest of their limits, whatever their groups", async () => {
    await using world = await startWorld();
    const { app, run, stateOf, end, attemptOf } = world;
    const wide = await makeTask(app, { ...withKey(3), group_id: (await makeGroup(app)).id });
    const narrow = await makeTask(app, { ...withKey(2), group_id: (await makeGroup(app)).id });
    const other = await makeTask(app, { concurrency: { limit: 3, key: "DB" } });
    const alone = await makeTask(app, { concurrency: { limit: 3 } });
    const runs = [await run(wide), await run(wide), await run(narrow), await run(wide)];
    expect(runs.map(stateOf)).toEqual(["dispatching", "dispatching", "queued", "queued"]);
    expect([await run(other), await run(alone)].map(stateOf)).toEqual(["dispatching", "dispatching"]);
    await end(attemptOf(runs[0]));
    expect(runs.map(stateOf)).toEqual(["succeeded", "dispatching", "dispatching", "queued"]);
  });

  test("are not limited by an archived task or a deleted one", async () => {
    await using world = await startWorld();
    const { app, run, stateOf } = world;
    const task = await makeTask(app, withKey(3));
    const [archived, deleted] = [await makeTask(app, withKey(1)), await makeTask(app, withKey(2))];
    const runs = [await run(task), await run(task), await run(task)];
    expect(runs.map(stateOf)).toEqual(["dispatching", "queued", "queued"]);
    await app.call("POST", `/v1/tasks/${archived.id}/archive`);
    await app.rounds.engine.idle();
    expect(runs.map(stateOf)).toEqual(["dispatching", "dispatching", "queued"]);
    await app.call("DELETE", `/v1/tasks/${deleted.id}`);
    await app.rounds.engine.idle();
    expect(runs.map(stateOf)).toEqual(["dispatching", "dispatching", "dispatching"]);
  });

  test("share it from the next start on when a task gets the key, and no longer when it loses it", async () => {
    await using world = await startWorld();
    const { app, run, stateOf } = world;
    const [first, second] = [await makeTask(app, withKey(1)), await makeTask(app)];
    const runs = [await run(second), await run(first)];
    expect(runs.map(stateOf)).toEqual(["dispatching", "dispatching"]);
    await app.call("PATCH", `/v1/tasks/${second.id}`, withKey(1));
    runs.push(await run(second));
    expect(stateOf(runs[2])).toBe("queued");
    await app.call("PATCH", `/v1/tasks/${second.id}`, { concurrency: { limit: 2 } });
    await app.rounds.engine.idle();
    expect(stateOf(runs[2])).toBe("dispatching");
  });

  test("skip a run if the runs of all of them use up the limit, and count those that wait", async () => {
    await using world = await startWorld();
    const { app, run, stateOf, end, attemptOf } = world;
    const queues = await makeTask(app, withKey(2));
    const skips = await makeTask(app, withKey(2, { on_conflict: "skip" }));
    const runs = [await run(queues), await run(queues), await run(queues)];
    expect(await run(skips)).toMatchObject({ state: "skipped", reason: "overlap" });
    await end(attemptOf(runs[0]), attemptOf(runs[1]));
    const next = await run(skips);
    expect(stateOf(next)).toBe("dispatching");
    expect(await run(skips)).toMatchObject({ state: "skipped", reason: "overlap" });
  });

  test("explain what a queued run waits for", async () => {
    await using world = await startWorld();
    const { app, run } = world;
    const [task, other] = [await makeTask(app, withKey(1)), await makeTask(app, withKey(1))];
    const active = await run(other);
    await app.call("POST", "/v1/schedules", { task_id: task.id, kind: "once", at: muchLater });
    app.inside.write((unit) => {
      const { id } = (app.sqlite.prepare("SELECT id FROM schedules").get() ?? {}) as { readonly id: string };
      const cause = { trigger: "schedule", sourceScheduleId: id } as const;
      const at = Date.parse(muchLater);
      const source = { cause, scheduledFor: at, notBefore: unit.now, coalesced: 0, coalescedFrom: null };
      app.inside.requests.requestFor(unit, app.inside.tasks.get(task.id), source);
    });
    const { json } = await app.call("GET", `/v1/tasks/${task.id}/why?at=${muchLater}`);
    expect(json.schedules[0].reason).toContain(
      `queued: the limit of 1 concurrent run for the concurrency key "db" is reached (${active.id} of "${other.name}" is active)`,
    );
  });
});

const requestsMax = 10_000;

test(`${requestsMax} random requests for tasks of three groups: no key is over its limit, and its runs start in order (seed ${seed})`, async () => {
  await using world = await startWorld();
  const { app, end } = world;
  const { inside } = app;
  // nothing is lost here that a later test needs
  app.sqlite.pragma("synchronous = OFF");
  const random = seeded(seed);
  // the tasks of a limited group may be overtaken; those of the others may not
  const groups = [await makeGroup(app), await makeGroup(app), await makeGroup(app, { max_concurrent_runs: 4 })];
  const limits = new Map([
    ["red", 2],
    ["green", 3],
    ["blue", 4],
  ]);
  const tasks = new Map<string, { readonly key: string; readonly isLimited: boolean }>();
  for (const [key, limit] of limits) {
    for (const [index, group] of groups.entries()) {
      const concurrency = { limit: limit + ((index + limit) % 3), key };
      const task = await makeTask(app, { concurrency, group_id: group.id, retention: { runs: 1_000_000 } });
      tasks.set(task.id, { key, isLimited: index === 2 });
    }
  }
  const ids = [...tasks.keys()];
  const startOrder = new Map([...limits.keys()].map((key) => [key, [] as string[]]));
  const seen = new Set<string>();
  let requested = 0;
  let mostAtOnce = 0;
  while (requested < requestsMax || inside.runStore.listLive().length > 0) {
    const count = Math.min(Math.floor(17 * random()), requestsMax - requested);
    for (let index = 0; index < count; index++) {
      const task = inside.tasks.get(ids[Math.floor(ids.length * random())]!);
      inside.write((unit) => void inside.requests.requestByHand(unit, task, null));
      check();
    }
    requested += count;
    const ending = inside.runStore.listLive().filter(() => random() < 0.9);
    await end(...ending.map(({ attemptId }) => attemptId!));
    check();
  }
  const states = app.sqlite.prepare("SELECT state, count(*) AS n FROM runs GROUP BY state").all();
  expect(states).toEqual([{ state: "succeeded", n: requestsMax }]);
  for (const [key, order] of startOrder) {
    const rows = order.map((id) => inside.runStore.find(id)!);
    expect(
      rows.map(({ queuedAt }) => queuedAt),
      key,
    ).toEqual(rows.map(({ queuedAt }) => queuedAt).toSorted((a, b) => a - b));
  }
  console.log(`concurrency-key: ${requested} requests, at most ${mostAtOnce} active at once`);

  function check(): void {
    const active = new Map<string, number>();
    const live = inside.runStore.listLive();
    mostAtOnce = Math.max(mostAtOnce, live.length);
    for (const { id, taskId } of live) {
      const { key, isLimited } = tasks.get(taskId)!;
      active.set(key, (active.get(key) ?? 0) + 1);
      if (!seen.has(id) && !isLimited) startOrder.get(key)!.push(id);
      seen.add(id);
    }
    for (const [key, count] of active)
      if (count > limits.get(key)!) throw new Error(`${count} runs of ${key} are active`);
  }
});
