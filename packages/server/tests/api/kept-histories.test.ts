import { recentOutcomesMax } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createHistories } from "../../src/features/runs/histories.ts";
import { createHistoryStore } from "../../src/features/runs/history-store.ts";
import { soleSource } from "../../src/features/runs/source.ts";
import type { RunRow } from "../../src/features/runs/table.ts";
import { eventViewer } from "../../src/kernel/show.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { makeTask } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { endRun } from "../support/runs.ts";
import { seeded } from "../support/seeded.ts";

/** Reads the rows of runs that are committed, on a connection of its own. */
function openHistoryStore({ sqlite }: TestApplication) {
  const { db, close } = openDatabase(sqlite.name);
  return { ...createHistoryStore(db), [Symbol.dispose]: close };
}

const dayMs = 86_400_000;

type Unit = Parameters<Parameters<TestApplication["inside"]["write"]>[0]>[0];

/** Every kind of change of a task's runs. A change that does not apply to the task as it is does nothing. */
function changesOf({ inside }: TestApplication, clock: ManualClock) {
  const { lifecycle, runStore } = inside;
  const newest = (id: string, ...states: readonly RunRow["state"][]) =>
    runStore.list({ taskId: id, ended: false }, { limit: 50, after: null }).find((run) => states.includes(run.state));
  const request = (unit: Unit, id: string) =>
    void inside.requests.requestFor(
      unit,
      inside.tasks.get(id),
      soleSource({ trigger: "manual" }, clock.now(), clock.now()),
    );
  const dispatch = (unit: Unit, id: string) => {
    const run = newest(id, "queued");
    if (run !== undefined) lifecycle.dispatch(unit, run, "test");
  };
  const start = (unit: Unit, id: string) => {
    const run = newest(id, "dispatching");
    if (run !== undefined) lifecycle.markStarted(unit, run.attemptId!, { pid: 4_321, at: clock.now() });
  };
  const end = (exitCode: number) => (unit: Unit, id: string) => {
    const run = newest(id, "running", "cancelling");
    const none = { written: 0, cut: 0 };
    if (run !== undefined)
      lifecycle.endAttempt(unit, run.attemptId!, {
        cause: "exit",
        exitCode,
        signal: null,
        detail: null,
        pid: 4_321,
        startedAt: run.startedAt,
        endedAt: clock.now(),
        durationMs: clock.now() - run.startedAt!,
        stdout: none,
        stderr: none,
      });
  };
  const cancel = (unit: Unit, id: string) => {
    const run = newest(id, "running");
    if (run !== undefined) lifecycle.cancel(unit, run.id);
  };
  const prune = (unit: Unit, id: string) => void inside.retention.prune(unit, id);
  return [request, dispatch, dispatch, start, start, end(0), end(0), end(1), cancel, prune];
}

test("after every change of its runs, a task shows what their rows say, also after a change that was undone", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using app = await openTestApplication({ clock });
  const { inside } = app;
  using rows = openHistoryStore(app);
  const tasks: Json[] = [];
  for (const on_conflict of ["queue", "skip", "replace"])
    tasks.push(
      await makeTask(app, {
        concurrency: { limit: 1, on_conflict },
        retry: { max_attempts: 2, delay: "1s" },
        retention: { runs: 6 },
      }),
    );
  const shown = async () => {
    const { json } = await app.call("GET", `/v1/tasks?recent=${recentOutcomesMax}`);
    return new Map(
      json.tasks.map((task: Json) => [
        task.id,
        {
          lastRun: task.last_run,
          recentOutcomes: task.recent_outcomes,
          usualDurationMs: task.usual_duration_ms,
        },
      ]),
    );
  };
  const changes = changesOf(app, clock);
  const random = seeded(6);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const undone = new Error("the disk is full");
  const seen = new Set<string>();
  for (let step = 0; step < 400; step++) {
    // now and then, all runs become too old to be kept
    await clock.advance(random() < 0.05 ? 91 * dayMs : 1 + Math.floor(random() * 2_000));
    const { id } = pick(tasks);
    const change = pick(changes);
    if (random() < 0.2)
      expect(() =>
        inside.write((unit) => {
          change(unit, id);
          inside.tasks.viewAll([inside.tasks.get(id)], eventViewer);
          throw undone;
        }),
      ).toThrow(undone);
    else inside.write((unit) => change(unit, id));
    const now = await shown();
    expect(now).toEqual(rows.readHistories(tasks.map((task) => task.id)));
    for (const history of now.values()) seen.add(JSON.stringify(history));
  }
  // the changes did change what the tasks show
  expect(seen.size).toBeGreaterThan(50);
});

test("a list reads only the histories of the tasks whose runs have changed since", async () => {
  await using app = await openTestApplication({ clock: new ManualClock("2026-03-01T00:00:00Z") });
  using store = openHistoryStore(app);
  const read: string[] = [];
  const histories = createHistories({
    store: { ...store, readHistories: (ids) => (read.push(...ids), store.readHistories(ids)) },
    isWriting: () => false,
  });
  const ids = [(await makeTask(app, { name: "a" })).id, (await makeTask(app, { name: "b" })).id];
  for (const id of ids) for (let run = 0; run < 7; run++) await endRun(app, id);
  expect(histories.readHistories(ids).get(ids[0])?.recentOutcomes).toHaveLength(5);
  expect(histories.readHistories(ids, 7).get(ids[1])?.recentOutcomes).toHaveLength(7);
  expect(read).toEqual(ids);
  histories.forget(ids[1]);
  expect(histories.readHistories(ids)).toEqual(histories.readHistories(ids));
  expect(read).toEqual([...ids, ids[1]]);
});

test("a write reads histories anew and keeps none, because it may be undone", async () => {
  await using app = await openTestApplication({ clock: new ManualClock("2026-03-01T00:00:00Z") });
  using store = openHistoryStore(app);
  const { id } = await makeTask(app);
  let isWriting = false;
  const histories = createHistories({ store, isWriting: () => isWriting });
  const lastRun = () => histories.readHistories([id]).get(id)?.lastRun?.id;
  expect(lastRun()).toBeUndefined();
  const run = await endRun(app, id);
  isWriting = true;
  expect(lastRun()).toBe(run.id);
  isWriting = false;
  expect(lastRun()).toBeUndefined();
});
