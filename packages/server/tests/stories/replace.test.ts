import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { makeChain, makeGroup, makeTask } from "../support/api.ts";
import { openTestApplication, type TestApplicationOptions } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { simulateRunners, succeeded } from "../support/simulated-runners.ts";

/** A daemon whose tasks start no process: a test ends the active runs. */
async function startWorld(options: TestApplicationOptions = {}) {
  const runners = simulateRunners();
  const app = await openTestApplication({
    canRun: true,
    openRunners: runners.open,
    ...options,
    config: { runsAtOnceMax: 100, ...options.config },
  });
  const { runStore } = app.inside;
  const end = async (run: Json, more: object = {}): Promise<void> => {
    const { finished } = app.rounds.engine;
    const attempt = runStore.find(run.id)!.attemptId!;
    runners.report({ is: "ended", attempt, end: { ...succeeded(app.inside.write(({ now }) => now)), ...more } });
    await app.rounds.engine.after(finished + 1);
    await app.rounds.engine.idle();
  };
  return {
    app,
    end,
    endCancelled: (run: Json) => end(run, { cause: "cancelled", exitCode: null, signal: "SIGTERM" }),
    run: async (task: Json, body?: object): Promise<Json> =>
      (await app.call("POST", `/v1/tasks/${task.id}/run`, body)).json,
    cancel: (run: Json) => app.call("POST", `/v1/runs/${run.id}/cancel`),
    get: async (run: Json): Promise<Json> => (await app.call("GET", `/v1/runs/${run.id}`)).json,
    statesOf: (...runs: readonly Json[]) => runs.map(({ id }) => runStore.find(id)?.state),
    cancels: () => runners.orders.filter((order) => order.do === "cancel"),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const replacing = (more: object = {}) => ({ concurrency: { on_conflict: "replace", ...more } });
const replaced = { outcome: null, reason: "replaced", reason_text: "was replaced by a newer run" };

describe("a new run of a task that replaces", () => {
  test("cancels the active run, and starts once that run has ended", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing());
    const first = await world.run(task);
    const second = await world.run(task);
    expect(world.statesOf(first, second)).toEqual(["cancelling", "queued"]);
    expect(world.cancels()).toMatchObject([{ cause: "cancelled", graceMs: 10_000 }]);
    await world.endCancelled(first);
    expect(await world.get(first)).toMatchObject({ state: "cancelled", ...replaced });
    expect(world.statesOf(second)).toEqual(["dispatching"]);
  });

  test("of a hundred requests at once, one waits, the others are skipped, and one cancel is sent", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing());
    const first = await world.run(task);
    const runs = await Promise.all(Array.from({ length: 100 }, () => world.run(task)));
    const rows: Json[] = await Promise.all(runs.map(world.get));
    const waiting = rows.filter(({ state }) => state === "queued");
    expect(waiting).toHaveLength(1);
    const others = rows.filter(({ id }) => id !== waiting[0]!.id);
    for (const run of others) expect(run).toMatchObject({ state: "skipped", started_at: null, ...replaced });
    expect(world.cancels()).toHaveLength(1);
    await world.endCancelled(first);
    expect(world.statesOf(waiting[0])).toEqual(["dispatching"]);
    // none was requested later
    const newest = world.app.sqlite.prepare("SELECT id FROM runs ORDER BY rowid DESC LIMIT 1").pluck().get();
    expect(newest).toBe(waiting[0]!.id);
  });

  test("replaces as many runs as its place needs: first those that wait, then the oldest", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing({ limit: 3 }));
    const [a, b, c, d, e] = [
      await world.run(task),
      await world.run(task),
      await world.run(task),
      await world.run(task),
      await world.run(task),
    ];
    expect(world.statesOf(a, b, c, d, e)).toEqual(["cancelling", "dispatching", "dispatching", "skipped", "queued"]);
    await world.app.call("PATCH", `/v1/tasks/${task.id}`, replacing({ limit: 1 }));
    const f = await world.run(task);
    expect(world.statesOf(a, b, c, e, f)).toEqual(["cancelling", "cancelling", "cancelling", "skipped", "queued"]);
  });

  test("replaces a run between two attempts immediately", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, { ...replacing(), retry: { max_attempts: 3, delay: "1h" } });
    const first = await world.run(task);
    await world.end(first, { exitCode: 1 });
    expect(await world.get(first)).toMatchObject({ state: "queued", attempt: 2 });
    const second = await world.run(task);
    expect(await world.get(first)).toMatchObject({ state: "cancelled", attempt: 1, ...replaced });
    expect(world.statesOf(second)).toEqual(["dispatching"]);
  });

  test("also by a rerun, and starts no chain", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing());
    const target = await makeTask(world.app);
    await makeChain(world.app, { source_task_id: task.id, target_task_id: target.id, on_outcome: "any" });
    const first = await world.run(task);
    const { json: second } = await world.app.call("POST", `/v1/runs/${first.id}/rerun`);
    const { json: third } = await world.app.call("POST", `/v1/runs/${first.id}/rerun`);
    await world.endCancelled(first);
    expect(world.statesOf(first, second, third)).toEqual(["cancelled", "skipped", "dispatching"]);
    expect((await world.app.call("GET", `/v1/runs?task_id=${target.id}`)).json.runs).toEqual([]);
  });

  test("for a later time replaces when it is due, even if all slots of the daemon are taken", async () => {
    const clock = new ManualClock();
    await using world = await startWorld({ clock, config: { runsAtOnceMax: 1 } });
    const task = await makeTask(world.app, replacing());
    const [inAnHour, inTwoHours] = [
      await world.run(task, { scheduled_for: new Date(clock.now() + 3_600_000).toISOString() }),
      await world.run(task, { scheduled_for: new Date(clock.now() + 7_200_000).toISOString() }),
    ];
    const now = await world.run(task);
    expect(world.statesOf(now, inAnHour, inTwoHours)).toEqual(["dispatching", "queued", "queued"]);
    await clock.advance(3_600_000);
    await world.app.rounds.engine.idle();
    expect(world.statesOf(now, inAnHour, inTwoHours)).toEqual(["cancelling", "queued", "queued"]);
    await clock.advance(3_600_000);
    await world.app.rounds.engine.idle();
    expect(world.statesOf(now, inAnHour, inTwoHours)).toEqual(["cancelling", "skipped", "queued"]);
    expect(world.cancels()).toHaveLength(1);
    await world.endCancelled(now);
    expect(world.statesOf(inTwoHours)).toEqual(["dispatching"]);
  });

  test("for a later time replaces nothing if its task cannot start then", async () => {
    const clock = new ManualClock();
    await using world = await startWorld({ clock });
    const task = await makeTask(world.app, replacing());
    const later = await world.run(task, { scheduled_for: new Date(clock.now() + 3_600_000).toISOString() });
    const now = await world.run(task);
    await world.app.call("POST", `/v1/tasks/${task.id}/disable`);
    await clock.advance(3_600_000);
    await world.app.rounds.engine.idle();
    expect(world.statesOf(now)).toEqual(["dispatching"]);
    expect(await world.get(later)).toMatchObject({ state: "skipped", reason: "task_disabled" });
  });

  test("supersedes a run that waits for a group's limit, and replaces no run of another task of that group", async () => {
    await using world = await startWorld();
    const group = await makeGroup(world.app, { max_concurrent_runs: 1 });
    const task = await makeTask(world.app, { ...replacing(), group_id: group.id });
    const holder = await world.run(await makeTask(world.app, { group_id: group.id }));
    const [first, second] = [await world.run(task), await world.run(task)];
    expect(world.statesOf(holder, first, second)).toEqual(["dispatching", "skipped", "queued"]);
    expect(await world.get(first)).toMatchObject(replaced);
  });

  test("never replaces a run of another task with its key, and waits for it", async () => {
    await using world = await startWorld();
    const [task, other] = [
      await makeTask(world.app, replacing({ limit: 2, key: "db" })),
      await makeTask(world.app, { concurrency: { limit: 2, key: "db" } }),
    ];
    const [own, foreign] = [await world.run(task), await world.run(other)];
    const next = await world.run(task);
    expect(world.statesOf(own, foreign, next)).toEqual(["cancelling", "dispatching", "queued"]);
    await world.endCancelled(own);
    expect(world.statesOf(foreign, next)).toEqual(["dispatching", "dispatching"]);
    const filling = [await world.run(other), await world.run(other)];
    await world.end(next);
    expect(world.statesOf(foreign, ...filling)).toEqual(["dispatching", "dispatching", "queued"]);
    const [early, late] = [await world.run(task), await world.run(task)];
    expect(world.statesOf(foreign, filling[0], early, late)).toEqual([
      "dispatching",
      "dispatching",
      "skipped",
      "queued",
    ]);
  });
});

describe("the first cause of an end counts", () => {
  test("if a person cancelled the run before, it is cancelled, and no other run is replaced", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing({ limit: 2 }));
    const [first, second] = [await world.run(task), await world.run(task)];
    await world.cancel(first);
    await world.run(task);
    expect(world.statesOf(first, second)).toEqual(["cancelling", "dispatching"]);
    await world.endCancelled(first);
    expect(await world.get(first)).toMatchObject({ state: "cancelled", reason: "cancelled" });
  });

  test("if a person cancels a run that is being replaced, the grace is skipped and the run was replaced", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing());
    const first = await world.run(task);
    await world.run(task);
    await world.cancel(first);
    expect(world.cancels().map(({ graceMs }) => graceMs)).toEqual([10_000, 0]);
    await world.endCancelled(first);
    expect(await world.get(first)).toMatchObject({ state: "cancelled", ...replaced });
  });

  test("if the process had ended before the signal, its result counts, and it is not retried", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, { ...replacing(), retry: { max_attempts: 3, delay: "0s" } });
    const first = await world.run(task);
    const second = await world.run(task);
    await world.end(first, { exitCode: 1 });
    expect(await world.get(first)).toMatchObject({ state: "failed", outcome: "failure", reason: "exit_code" });
    const third = await world.run(task);
    await world.end(second);
    expect(await world.get(second)).toMatchObject({ state: "succeeded", outcome: "success" });
    expect(world.statesOf(third)).toEqual(["dispatching"]);
  });

  test("if the runner dies while the run is being replaced, the run was replaced", async () => {
    await using world = await startWorld();
    const task = await makeTask(world.app, replacing());
    const first = await world.run(task);
    await world.run(task);
    await world.end(first, { cause: "lost", exitCode: null });
    expect(await world.get(first)).toMatchObject({ state: "cancelled", ...replaced });
  });
});
