import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { createRunStore, type RunStore } from "./store.ts";

const plans = (call: (store: RunStore) => unknown) => plansOf((db) => createRunStore(db, () => {}), call);
const from = { now: 1, full: [], limit: 5 };

test("the queue is read in its own order, page by page, and never sorted", async () => {
  const [plan] = await plans((store) => store.listWaiting({ ...from, after: null }));
  expect(plan).toContain("SCAN runs USING INDEX runs_waiting;");
  expect(plan).not.toContain("ORDER BY");
});

test("the next later start is found without reading the runs that start now", async () => {
  expect(await plans((store) => store.findNextStart(1))).toEqual([
    "SEARCH runs USING INDEX runs_waiting_until (not_before>?)",
  ]);
});

test("a task's waiting runs and its active runs are found separately", async () => {
  expect(await plans((store) => store.countQueuedOf("tsk"))).toEqual([
    "SEARCH runs USING COVERING INDEX runs_queued (task_id=?)",
  ]);
  const [live] = await plans((store) => store.countContenders({ id: "tsk", concurrencyKey: null }, 1));
  expect(live).toMatch(/INDEX runs_live_of_task \(task_id=\?\)/);
});

test("the runs of a concurrency key are found by its tasks, however many tasks have none", async () => {
  const plansOfKey = await plans((store) => store.countContenders({ id: "tsk", concurrencyKey: "db" }, 1));
  expect(plansOfKey).toHaveLength(2);
  for (const plan of plansOfKey) expect(plan).toMatch(/INDEX tasks_by_concurrency_key \(concurrency_key=\?\)/);
  expect(plansOfKey[0]).toMatch(/INDEX runs_live_of_task \(task_id=\?\)/);
});

test("the runs that a new run may replace, and those that become due, are found by an index", async () => {
  expect(await plans((store) => store.listReplaceable("tsk"))).toEqual([
    "SEARCH runs USING INDEX runs_queued (task_id=?)",
    "SEARCH runs USING INDEX runs_live_of_task (task_id=?)",
  ]);
  const [others] = await plans((store) => store.countOthersInPool({ id: "tsk", concurrencyKey: "db" }));
  expect(others).toMatch(/INDEX tasks_by_concurrency_key .*INDEX runs_live_of_task /);
  const [newlyDue] = await plans((store) => store.listNewlyDue(1));
  expect(newlyDue).toMatch(
    /^SEARCH runs USING INDEX runs_waiting_until \(not_before>\? AND not_before<\?\); SEARCH tasks /,
  );
});

test("a task's newest end and its expired runs are found by an index, however long the history", async () => {
  expect(await plans((store) => store.findNewestEnd("tsk", 1))).toEqual([
    "SEARCH runs USING INDEX runs_by_end (task_id=? AND ended_at>? AND ended_at<?)",
  ]);
  const [older] = await plans((store) => store.listOlder("tsk", 1, 1));
  expect(older).toMatch(
    /^SEARCH runs USING (COVERING )?INDEX runs_by_end \(task_id=\? AND ended_at>\? AND ended_at<\?\)$/,
  );
  for (const list of ["listBeyond", "listOldest"] as const)
    expect(await plans((store) => store[list]("tsk", 1, 1)), list).toEqual([
      "SEARCH runs USING INDEX runs_ended (task_id=?)",
    ]);
});

test("the unfinished runs of a task are found among those of all tasks, however long its history", async () => {
  const [plan] = await plans((store) => store.list({ taskId: "tsk", ended: false }, { limit: 1, after: null }));
  expect(plan).toBe("SEARCH runs USING INDEX runs_by_state (state=?); USE TEMP B-TREE FOR ORDER BY");
});

test("the active runs are found by their states, however many are queued or have ended", async () => {
  for (const filters of [{ active: true }, { active: true, taskId: "tsk" }]) {
    const [plan] = await plans((store) => store.list(filters, { limit: 1, after: null }));
    expect(plan).toBe("SEARCH runs USING INDEX runs_by_state (state=?); USE TEMP B-TREE FOR ORDER BY");
  }
});

test("the run that a chain started is found by one index", async () => {
  const [plan, ...more] = await plans((store) => store.findByEnd("chn", "run"));
  expect(plan).toMatch(/^SEARCH runs USING INDEX runs_one_an_end /);
  expect(more).toEqual([]);
});

test("the latest and the unfinished run of a watcher are found by an index, however long the history", async () => {
  expect(await plans((store) => store.findNewestOfWatcher("wch", 1))).toEqual([
    "SEARCH runs USING INDEX runs_by_watcher (source_watcher_id=? AND queued_at<?)",
  ]);
  expect(await plans((store) => store.findUnfinishedOfWatcher("wch"))).toEqual([
    "SEARCH runs USING INDEX runs_unfinished_of_watcher (source_watcher_id=?)",
  ]);
});
