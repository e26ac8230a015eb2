import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWatcher } from "../../../tests/support/api.ts";
import { openTestApplication } from "../../../tests/support/application.ts";
import type { Json } from "../../../tests/support/harness.ts";
import { simulateRunners, succeeded } from "../../../tests/support/simulated-runners.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { encodeKnown } from "./handing/handed-known.ts";
import { writeRunFiles } from "./handing/run-files.ts";
import { createRunRequests, type PreparedRun } from "./run-requests.ts";
import type { WatcherRow } from "./table.ts";

/** A task whose runs are dispatched to a simulated runner, which never ends them, and a watcher of it. */
async function setup(task: object = {}) {
  const daemon = await openTestApplication({ canRun: true, openRunners: simulateRunners().open });
  const runsFolder = mkdtempSync(join(tmpdir(), "bw-"));
  const watcher = await makeWatcher(daemon, {}, task);
  const row = { id: watcher.id, enabled: true, observation: 1, targetTaskId: watcher.target_task_id } as WatcherRow;
  const stored = new Map([[row.id, row]]);
  const { tasks, runStore: runs, requests, replacement, write } = daemon.inside;
  const store = { find: (id: string) => stored.get(id) };
  const own = createRunRequests({ store, tasks, runs, requests, replacement, write, clock: systemClock, runsFolder });
  const known = encodeKnown([], { watcherId: row.id, observation: 1, runNumber: 1 });
  const listRuns = async (): Promise<readonly Json[]> => (await daemon.call("GET", "/v1/runs")).json.runs;
  return {
    ...daemon,
    watcherId: row.id,
    taskId: row.targetTaskId,
    runsFolder,
    decide: () => own.decide(row.id),
    request: (runId: string, { observation = 1, replacedId = null }: Partial<PreparedRun> = {}) =>
      own.request(row.id, { runId, observation, replacedId }),
    mayReplaceStarted: () => own.mayReplaceStarted(row.id, row.targetTaskId),
    statesOf: async (...ids: readonly string[]) => {
      const all = await listRuns();
      return ids.map((id) => all.find((run) => run.id === id).state);
    },
    /** Ends an active run as its runner would, and starts those that waited for it. */
    endRun: (runId: string): void =>
      daemon.inside.write((unit) => {
        const { attemptId } = daemon.inside.runStore.find(runId)!;
        daemon.inside.lifecycle.endAttempt(unit, attemptId!, { ...succeeded(unit.now), cause: "cancelled" });
        daemon.inside.engine.onDispatchRequested(unit);
      }),
    canStart: () => own.canStart(row.id),
    removeFiles: own.removeFiles,
    writeFiles: (
      runId: string,
      paths: readonly string[],
      { joins = false, replacedId = null }: { readonly joins?: boolean; readonly replacedId?: string | null } = {},
    ) => writeRunFiles(runsFolder, runId, { paths, known, joins, replacedId }),
    filesOf: (runId: string) => readFileSync(join(runsFolder, runId), "utf8").split("\0").slice(0, -1),
    change: (change: Partial<WatcherRow>): void => void stored.set(row.id, { ...row, ...change }),
    forgetWatcher: (): void => stored.clear(),
    /** A run of the task that the watcher did not request. */
    runTask: async (): Promise<string> => (await daemon.call("POST", `/v1/tasks/${row.targetTaskId}/run`)).json.id,
    cancel: (runId: string) => daemon.call("POST", `/v1/runs/${runId}/cancel`),
    listRuns,
    ownRuns: async () => (await listRuns()).filter((run) => run.source_watcher_id === row.id),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      rmSync(runsFolder, { recursive: true });
      await daemon[Symbol.asyncDispose]();
    },
  };
}

function preparedRun(verdict: ReturnType<Awaited<ReturnType<typeof setup>>["decide"]>): string {
  if (verdict.is !== "prepare") throw new Error(`the verdict is ${JSON.stringify(verdict)}`);
  return verdict.runId;
}

test("a ready task has a new run, with the id under which its files were written", async () => {
  await using it = await setup();
  expect(it.canStart()).toBe(true);
  const verdict = it.decide();
  expect(verdict).toMatchObject({ is: "prepare", joins: false });
  const runId = preparedRun(verdict);
  expect(await it.ownRuns()).toEqual([]);
  expect(it.request(runId)).toBe(true);
  expect(await it.ownRuns()).toMatchObject([{ id: runId, trigger: "filesystem_watcher" }]);
  // it has been dispatched: further files wait for its end
  expect(it.decide()).toEqual({ is: "wait", for: "slot" });
});

test("files that were prepared before a hold wait for its release, whatever run they would replace", async () => {
  await using it = await setup({ concurrency: { limit: 1, on_conflict: "replace" } });
  const first = preparedRun(it.decide());
  expect(it.request(first)).toBe(true);
  const verdict = it.decide();
  expect(verdict).toMatchObject({ is: "prepare", replacedId: first });
  const runId = preparedRun(verdict);
  await it.call("POST", "/v1/hold", {});
  expect(it.request(runId, { replacedId: first })).toBe(false);
  expect(await it.statesOf(first)).toEqual(["dispatching"]);
  await it.call("POST", "/v1/release", {});
  expect(it.request(runId, { replacedId: first })).toBe(true);
  expect(await it.statesOf(first)).toEqual(["cancelling"]);
});

test("a run is requested once, however often the files are offered", async () => {
  await using it = await setup();
  const runId = preparedRun(it.decide());
  expect(it.request(runId)).toBe(true);
  expect(it.request(runId)).toBe(false);
  const other = "run_other";
  expect(it.request(other)).toBe(false);
  expect(await it.ownRuns()).toHaveLength(1);
});

test("files join a run that waits for its first start, in the turn that finds that it does", async () => {
  await using it = await setup({ concurrency: { limit: 1 } });
  await it.runTask();
  const runId = preparedRun(it.decide());
  await it.writeFiles(runId, ["/in/a"]);
  expect(it.request(runId)).toBe(true);
  expect(await it.ownRuns()).toMatchObject([{ id: runId, state: "queued" }]);

  expect(it.decide()).toEqual({ is: "prepare", runId, joins: true });
  await it.writeFiles(runId, ["/in/b", "/in/a"], { joins: true });
  expect(it.filesOf(runId)).toEqual(["/in/a"]);
  expect(it.request(runId)).toBe(true);
  expect(it.filesOf(runId)).toEqual(["/in/a", "/in/b"]);
  expect(await it.ownRuns()).toHaveLength(1);
  expect(readdirSync(it.runsFolder).toSorted()).toEqual([runId, `${runId}.known`]);
});

test("files do not join the waiting run of a former task", async () => {
  await using it = await setup();
  await it.runTask();
  const runId = preparedRun(it.decide());
  await it.writeFiles(runId, ["/in/a"]);
  expect(it.request(runId)).toBe(true);
  it.change({ targetTaskId: "tsk_other" });
  expect(it.decide()).toEqual({ is: "wait", for: "slot" });
  expect(it.request(runId)).toBe(false);
  expect(it.filesOf(runId)).toEqual(["/in/a"]);
});

test("files do not join a run that was cancelled while they were written", async () => {
  await using it = await setup({ concurrency: { limit: 1 } });
  await it.runTask();
  const runId = preparedRun(it.decide());
  await it.writeFiles(runId, ["/in/a"]);
  it.request(runId);
  await it.writeFiles(runId, ["/in/b"], { joins: true });
  await it.cancel(runId);
  expect(it.request(runId)).toBe(false);
  expect(it.filesOf(runId)).toEqual(["/in/a"]);
  expect(it.decide()).toMatchObject({ is: "prepare", joins: false });
  expect(preparedRun(it.decide())).not.toBe(runId);
});

test("a task that queues conflicting runs has the watcher's run queued behind others", async () => {
  await using it = await setup({ concurrency: { limit: 1, on_conflict: "queue" } });
  await it.runTask();
  expect(it.request(preparedRun(it.decide()))).toBe(true);
  expect(await it.ownRuns()).toMatchObject([{ state: "queued" }]);
});

test("a task that skips conflicting runs is asked for one only when its limit allows, and no row is skipped", async () => {
  await using it = await setup({ concurrency: { limit: 1, on_conflict: "skip" } });
  const runId = preparedRun(it.decide());
  await it.runTask();
  // the slot was taken while the files were written
  expect(it.request(runId)).toBe(false);
  expect(it.decide()).toEqual({ is: "wait", for: "slot" });
  expect(await it.ownRuns()).toEqual([]);
});

describe("of a task that replaces conflicting runs,", () => {
  const concurrency = { limit: 1, on_conflict: "replace" };

  test("a run gets the files of the watcher's active run, which it replaces", async () => {
    await using it = await setup({ concurrency });
    const first = preparedRun(it.decide());
    await it.writeFiles(first, ["/in/a"]);
    expect(it.request(first)).toBe(true);
    const verdict = it.decide();
    expect(verdict).toMatchObject({ is: "prepare", joins: false, replacedId: first });
    const second = preparedRun(verdict);
    await it.writeFiles(second, ["/in/b"], { replacedId: first });
    expect(it.filesOf(second)).toEqual(["/in/a", "/in/b"]);
    expect(it.request(second, { replacedId: first })).toBe(true);
    expect(await it.statesOf(first, second)).toEqual(["cancelling", "queued"]);
    // further files join the run that waits
    expect(it.decide()).toEqual({ is: "prepare", runId: second, joins: true });
  });

  test("no run is requested with the files of one that has ended since, or is being cancelled", async () => {
    await using it = await setup({ concurrency });
    const first = preparedRun(it.decide());
    it.request(first);
    const second = preparedRun(it.decide());
    await it.cancel(first);
    expect(it.request(second, { replacedId: first })).toBe(false);
    expect(it.decide()).toEqual({ is: "wait", for: "slot" });
    it.endRun(first);
    expect(it.request(second, { replacedId: first })).toBe(false);
    expect(it.decide()).not.toHaveProperty("replacedId");
  });

  test("a run replaces no run that waits for its start, and may replace it afterwards", async () => {
    await using it = await setup({ concurrency });
    const [active, waiting] = [await it.runTask(), await it.runTask()];
    expect(await it.statesOf(active, waiting)).toEqual(["cancelling", "queued"]);
    expect(it.decide()).toEqual({ is: "wait", for: "slot" });
    expect(it.mayReplaceStarted()).toBe(true);
    it.endRun(active);
    const runId = preparedRun(it.decide());
    expect(it.request(runId)).toBe(true);
    expect(await it.statesOf(waiting, runId)).toEqual(["cancelling", "queued"]);
  });

  test("the active run of the watcher goes on while the limit has a place, and the files wait for its end", async () => {
    await using it = await setup({ concurrency: { ...concurrency, limit: 2 } });
    expect(it.request(preparedRun(it.decide()))).toBe(true);
    expect(it.decide()).toEqual({ is: "wait", for: "slot" });
  });
});

test("a task that cannot start leaves one skipped row, however often its files change", async () => {
  await using it = await setup({ enabled: false });
  expect(it.canStart()).toBe(false);
  for (let times = 0; times < 3; times++) expect(it.decide()).toEqual({ is: "wait", for: "task" });
  expect(await it.ownRuns()).toMatchObject([{ state: "skipped", reason: "task_disabled", coalesced: 2 }]);
  await it.call("POST", `/v1/tasks/${it.taskId}/enable`);
  expect(it.canStart()).toBe(true);
  expect(it.decide()).toMatchObject({ is: "prepare", joins: false });
});

test("a task that is disabled while the files are written leaves a skipped row, and the files wait", async () => {
  await using it = await setup();
  const runId = preparedRun(it.decide());
  await it.call("POST", `/v1/tasks/${it.taskId}/disable`);
  expect(it.request(runId)).toBe(false);
  expect(await it.ownRuns()).toMatchObject([{ state: "skipped", reason: "task_disabled" }]);
  expect(it.decide()).toEqual({ is: "wait", for: "task" });
});

test("a target that was deleted is waited for", async () => {
  await using it = await setup();
  it.change({ targetTaskId: "tsk_gone" });
  expect(it.decide()).toEqual({ is: "wait", for: "task" });
  expect(it.request("run_1")).toBe(false);
});

test("nothing is requested for a watcher that was disabled, deleted or changed while the files were written", async () => {
  await using it = await setup();
  const runId = preparedRun(it.decide());
  expect(it.request(runId, { observation: 2 })).toBe(false);
  it.change({ enabled: false });
  expect(it.request(runId)).toBe(false);
  expect(it.decide()).toEqual({ is: "nothing" });
  it.forgetWatcher();
  expect(it.request(runId)).toBe(false);
  expect(it.decide()).toEqual({ is: "nothing" });
  expect(it.canStart()).toBe(false);
  expect(await it.ownRuns()).toEqual([]);
});

test("the files of a run are removed with all that lies beside them", async () => {
  await using it = await setup();
  await it.writeFiles("run_1", ["/in/a"]);
  await it.writeFiles("run_1", ["/in/b"], { joins: true });
  it.removeFiles("run_1");
  it.removeFiles("run_1");
  expect(readdirSync(it.runsFolder)).toEqual([]);
});
