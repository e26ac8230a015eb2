import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test, vi } from "vitest";
import { soleSource } from "../../src/features/runs/index.ts";
import { openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { simulateRunners, succeeded } from "../support/simulated-runners.ts";
import { cancel, getRun, made2xx, makeGroup, makeTask, startRun } from "../support/tasks.ts";

/** A daemon whose only runner is simulated: a test reports each start and each end. */
async function openEngine() {
  const clock = new ManualClock();
  const runners = simulateRunners();
  const app = await openTestApplication({ canRun: true, clock, openRunners: runners.open });
  const { idle } = app.rounds.engine;
  await idle();
  const attemptOf = (run: Json): string => app.inside.runStore.find(run.id)!.attemptId!;
  const end = async (run: Json): Promise<void> => {
    runners.report({ is: "ended", attempt: attemptOf(run), end: succeeded(clock.now()) });
    await idle();
  };
  const make = async (count: number, more: object): Promise<Json[]> => {
    const tasks: Json[] = [];
    while (tasks.length < count) tasks.push(await makeTask(app, ":", more));
    return tasks;
  };
  return {
    ...app,
    clock,
    make,
    end,
    /** Requests a run of each task, the first of them first. */
    request: async (tasks: readonly Json[]): Promise<Json[]> => {
      const runs: Json[] = [];
      for (const task of tasks) {
        runs.push(await startRun(app, task));
        await clock.advance(1);
      }
      await idle();
      return runs;
    },
    /** Runs a task of its own from its request to its end. */
    runAnother: async (): Promise<void> => {
      const run = await startRun(app, await makeTask(app, ":"));
      await idle();
      const { finished } = app.rounds.engine;
      runners.report({ is: "started", attempt: attemptOf(run), pid: 4_321, at: clock.now() });
      await app.rounds.engine.after(finished + 1);
      await end(run);
      expect(await getRun(app, run)).toMatchObject({ state: "succeeded" });
    },
    /** Counts the reads of these tasks during the work. */
    countReads: async (tasks: readonly Json[], work: () => Promise<unknown>): Promise<number> => {
      const ids = new Set(tasks.map(({ id }) => id));
      using reads = vi.spyOn(app.inside.tasks, "find");
      await work();
      return reads.mock.calls.filter(([id]) => ids.has(id)).length;
    },
    statesOf: (runs: readonly Json[]) => runs.map(({ id }) => app.inside.runStore.find(id)?.state),
    reasonsOf: (runs: readonly Json[]) => runs.map(({ id }) => app.inside.runStore.find(id)?.reason),
  };
}

type TestEngine = Awaited<ReturnType<typeof openEngine>>;

/** Two reads for each of two searches: one refuses the tasks that are alike, and one may come from another place. */
const readsMax = 4;

describe("a run of another task reads few of the many tasks that wait", () => {
  test("for the limit of a group, also from the groups below it", async () => {
    await using engine = await openEngine();
    const group = await makeGroup(engine, { max_concurrent_runs: 1 });
    const below = await makeGroup(engine, { parent_id: group.id });
    const tasks = [
      ...(await engine.make(20, { group_id: group.id })),
      ...(await engine.make(20, { group_id: below.id, concurrency: { on_conflict: "skip" } })),
    ];
    const runs = await engine.request(tasks);
    expect(await engine.countReads(tasks.slice(1), engine.runAnother)).toBeLessThanOrEqual(readsMax);
    expect(engine.statesOf(runs)).toEqual(["dispatching", ...Array.from({ length: 39 }, () => "queued")]);
  });

  test("for the limit of a concurrency key", async () => {
    await using engine = await openEngine();
    const tasks = await engine.make(40, { concurrency: { key: "database" } });
    await engine.request(tasks);
    expect(await engine.countReads(tasks.slice(1), engine.runAnother)).toBeLessThanOrEqual(readsMax);
  });

  test("for the release of a group", async () => {
    await using engine = await openEngine();
    const group = await makeGroup(engine);
    const tasks = await engine.make(40, { group_id: group.id });
    await made2xx(engine.call("POST", "/v1/hold", { group_id: group.id }));
    const runs = requestInQueue(engine, tasks);
    expect(await engine.countReads(tasks, engine.runAnother)).toBeLessThanOrEqual(readsMax);
    expect(new Set(engine.statesOf(runs))).toEqual(new Set(["queued"]));
    await made2xx(engine.call("POST", "/v1/release", { group_id: group.id }));
    await engine.rounds.engine.idle();
    expect(engine.statesOf(runs).filter((state) => state === "dispatching")).toHaveLength(8);
  });
});

test("a run searches the queue at its request and at its end, and not when its start is reported", async () => {
  await using engine = await openEngine();
  using searches = vi.spyOn(engine.inside.runStore, "listLive");
  await engine.runAnother();
  expect(searches.mock.calls).toHaveLength(2);
});

describe("tasks below a full group", () => {
  test("start by priority and then by age, whichever group below it they are in", async () => {
    await using engine = await openEngine();
    const group = await makeGroup(engine, { max_concurrent_runs: 1 });
    const below = await makeGroup(engine, { parent_id: group.id });
    const [first, old, young, urgent] = await engine.request([
      ...(await engine.make(2, { group_id: group.id })),
      ...(await engine.make(1, { group_id: below.id })),
      ...(await engine.make(1, { group_id: below.id, priority: 5 })),
    ]);
    for (const [ending, next] of [
      [first, urgent],
      [urgent, old],
      [old, young],
    ] as const) {
      expect(engine.statesOf([next!])).toEqual(["queued"]);
      await engine.end(ending);
      expect(engine.statesOf([next!])).toEqual(["dispatching"]);
    }
  });

  test("give up their runs at once if they can no longer start", async () => {
    await using engine = await openEngine();
    const group = await makeGroup(engine, { max_concurrent_runs: 1 });
    const below = await makeGroup(engine, { parent_id: group.id });
    const [busy, waiting, disabled, archived] = await engine.make(4, { group_id: group.id });
    const [blocked] = await engine.make(1, { group_id: below.id });
    const [, ...runs] = await engine.request([busy!, waiting!, disabled!, archived!, blocked!]);
    expect(new Set(engine.statesOf(runs))).toEqual(new Set(["queued"]));
    await made2xx(engine.call("POST", `/v1/tasks/${disabled!.id}/disable`));
    await made2xx(engine.call("POST", `/v1/tasks/${archived!.id}/archive`));
    await made2xx(engine.call("POST", `/v1/groups/${below.id}/disable`));
    await engine.rounds.engine.idle();
    expect(engine.statesOf(runs)).toEqual(["queued", "skipped", "skipped", "skipped"]);
    expect(engine.reasonsOf(runs)).toEqual([null, "task_disabled", "task_inactive", "group_blocked"]);
  });

  test("start at once when they are moved out of it, also those whose rows say that they are in it", async () => {
    await using engine = await openEngine();
    const group = await makeGroup(engine, { max_concurrent_runs: 1 });
    const tasks = await engine.make(3, { group_id: group.id });
    const runs = await engine.request(tasks);
    await made2xx(engine.call("PATCH", `/v1/tasks/${tasks[2]!.id}`, { group_id: null }));
    await engine.rounds.engine.idle();
    expect(engine.statesOf(runs)).toEqual(["dispatching", "queued", "dispatching"]);
  });

  test("skip a run for a later time that overlaps when it is due", async () => {
    await using engine = await openEngine();
    const group = await makeGroup(engine, { max_concurrent_runs: 1 });
    const [skipping] = await engine.make(1, { group_id: group.id, concurrency: { on_conflict: "skip" } });
    const others = await engine.make(3, { group_id: group.id, priority: 5 });
    await engine.request([skipping!, ...others]);
    const scheduled_for = new Date(engine.clock.now() + 60_000).toISOString();
    const later = await startRun(engine, skipping, { scheduled_for });
    await engine.clock.advance(60_000);
    await engine.rounds.engine.idle();
    expect(engine.reasonsOf([later])).toEqual(["overlap"]);
  });
});

test("tasks with a full key give up their runs at once if their own group is disabled", async () => {
  await using engine = await openEngine();
  const groups = [await makeGroup(engine), await makeGroup(engine)];
  const concurrency = { key: "database" };
  const tasks = [
    ...(await engine.make(2, { concurrency })),
    ...(await engine.make(1, { concurrency, group_id: groups[0]!.id })),
    ...(await engine.make(1, { concurrency, group_id: groups[1]!.id })),
  ];
  const runs = await engine.request(tasks);
  await made2xx(engine.call("POST", `/v1/groups/${groups[1]!.id}/disable`));
  await engine.rounds.engine.idle();
  expect(engine.statesOf(runs)).toEqual(["dispatching", "queued", "queued", "skipped"]);
});

test("a run for a later time begins then, though a round after its request wrote only the report of a start", async () => {
  await using engine = await openEngine();
  const scheduled_for = new Date(engine.clock.now() + 1_000).toISOString();
  const later = await startRun(engine, await makeTask(engine, ":"), { scheduled_for });
  await engine.runAnother();
  expect(engine.statesOf([later])).toEqual(["queued"]);
  await engine.clock.advance(1_000);
  await engine.rounds.engine.idle();
  expect(engine.statesOf([later])).toEqual(["dispatching"]);
});

test("a slot that a cancelled run of a full group leaves goes to the next one", async () => {
  await using engine = await openEngine();
  const group = await makeGroup(engine, { max_concurrent_runs: 1 });
  const [first, second, third] = await engine.request(await engine.make(3, { group_id: group.id }));
  expect((await cancel(engine, second)).status).toBe(200);
  await engine.end(first);
  expect(engine.statesOf([second!, third!])).toEqual(["cancelled", "dispatching"]);
});

/** Queues a run of each task, as a chain does while the tasks are held. */
function requestInQueue({ inside, clock }: TestEngine, tasks: readonly Json[]): readonly Json[] {
  const source = soleSource({ trigger: "completion" }, clock.now(), clock.now());
  return inside.write((unit) => tasks.map(({ id }) => inside.requests.requestFor(unit, inside.tasks.get(id), source)));
}
