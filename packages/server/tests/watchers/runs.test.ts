import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { makeTask, makeWatcher } from "../support/api.ts";
import type { Json } from "../support/harness.ts";

/** Requests a run as a watcher does. */
function request(daemon: TestApplication, watcher: Json, runId?: string): string {
  const { write, requests, tasks } = daemon.inside;
  return write((unit) => {
    const cause = { trigger: "filesystem_watcher", sourceWatcherId: watcher.id } as const;
    const source = { cause, scheduledFor: unit.now, notBefore: unit.now, coalesced: 0, coalescedFrom: null };
    const task = tasks.get(watcher.target_task_id);
    return requests.requestFor(unit, task, runId === undefined ? source : { ...source, runId }).id;
  });
}
const runsOf = async (daemon: TestApplication, watcher: Json): Promise<readonly Json[]> =>
  (await daemon.call("GET", `/v1/runs?task_id=${watcher.target_task_id}&trigger=filesystem_watcher`)).json.runs;

test("a run names the watcher that requested it, and has the id that was chosen for its files", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const watcher = await makeWatcher(daemon);
  const runId = newId("run");
  expect(daemon.inside.runStore.findUnfinishedOfWatcher(watcher.id)).toBeUndefined();
  expect(request(daemon, watcher, runId)).toBe(runId);
  expect(await runsOf(daemon, watcher)).toMatchObject([
    { id: runId, trigger: "filesystem_watcher", source_watcher_id: watcher.id, source_schedule_id: null },
  ]);
});

test("a queued run of a watcher is unfinished, and not one of another watcher", async () => {
  await using daemon = await openTestApplication();
  const watcher = await makeWatcher(daemon);
  const other = await makeWatcher(daemon, { target_task_id: watcher.target_task_id });
  daemon.inside.write((unit) => {
    const cause = { trigger: "filesystem_watcher", sourceWatcherId: watcher.id } as const;
    const later = unit.now + 3_600_000;
    const source = { cause, scheduledFor: later, notBefore: later, coalesced: 0, coalescedFrom: null };
    daemon.inside.requests.requestReady(unit, daemon.inside.tasks.get(watcher.target_task_id), source);
  });
  const { runStore } = daemon.inside;
  expect(runStore.findUnfinishedOfWatcher(watcher.id)?.state).toBe("queued");
  expect(runStore.findUnfinishedOfWatcher(other.id)).toBeUndefined();
});

test("consecutive skips of one watcher for one reason are one row", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon, { enabled: false });
  const [first, second] = [
    await makeWatcher(daemon, { target_task_id: task.id }),
    await makeWatcher(daemon, { target_task_id: task.id }),
  ];
  for (let times = 0; times < 3; times++) request(daemon, first);
  request(daemon, second);
  request(daemon, first);
  await daemon.call("POST", `/v1/tasks/${task.id}/archive`);
  request(daemon, first);
  const rows = (await runsOf(daemon, first)).map((run) => `${run.source_watcher_id} ${run.reason} ${run.coalesced}`);
  expect(rows.toSorted()).toEqual(
    [`${first.id} task_disabled 3`, `${second.id} task_disabled 0`, `${first.id} task_inactive 0`].toSorted(),
  );
});

test("a task is explained with the runs of its watchers", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon, { enabled: false });
  const watcher = await makeWatcher(daemon, { name: "Inbox", target_task_id: task.id, enabled: false });
  const runId = request(daemon, watcher);
  const why = async (query = "") => (await daemon.call("GET", `/v1/tasks/${task.id}/why${query}`)).json.watchers;
  const entry = { watcher_id: watcher.id, watcher_name: "Inbox" };
  expect(await why()).toEqual([{ ...entry, decision: "not_due", run_id: runId, reason: "The watcher is disabled" }]);
  expect(await why("?at=2020-01-01T00:00:00Z")).toEqual([
    { ...entry, decision: "not_due", run_id: null, reason: "The watcher did not exist yet" },
  ]);
});
