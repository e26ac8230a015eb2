import { limits } from "@belfry/contract";
import { inBatches, ManualClock, tempDir, until } from "@belfry/test-kit";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { hasEveryRunEnded, readHistory } from "../support/processes/kill-checks.ts";
import {
  type Daemon,
  getRun,
  listRuns,
  made2xx,
  makeGroup,
  makeTask,
  outputOf,
  runOnce,
  startRun,
  untilEnd,
  untilState,
  waitFor,
} from "../support/tasks.ts";
import { link, startedBy } from "../support/chains.ts";

test("the end of its source starts a target, whose run and environment name the source's run", async () => {
  await using daemon = await startDaemon();
  const source = await makeTask(daemon, "exit 4");
  const target = await makeTask(daemon, "env | grep ^BELFRY_SOURCE | sort; echo by $BELFRY_TRIGGER");
  const chain = await link(daemon, source, target, { on_outcome: "failure" });
  const run = await untilEnd(daemon, await startRun(daemon, source));
  const [started, ...more] = await startedBy(daemon, run);
  expect(more).toEqual([]);
  expect(started).toMatchObject({
    task_id: target.id,
    trigger: "completion",
    source_chain_id: chain.id,
    source_task_id: source.id,
    source_run_id: run.id,
    scheduled_for: run.ended_at,
  });
  const ended = await untilEnd(daemon, started);
  expect(await outputOf(daemon, ended)).toBe(
    `BELFRY_SOURCE_EXIT_CODE=4\nBELFRY_SOURCE_OUTCOME=failure\nBELFRY_SOURCE_RUN_ID=${run.id}\nby completion\n`,
  );
});

test("a target keeps its data about its source when the source's history is deleted", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const source = await makeTask(daemon, "kill -9 $$", { retention: { runs: 1 } });
  const target = await makeTask(
    daemon,
    'echo "$BELFRY_SOURCE_RUN_ID $BELFRY_SOURCE_OUTCOME ${BELFRY_SOURCE_EXIT_CODE-none}"',
  );
  await link(daemon, source, target, { on_outcome: "any", delay: "1h" });
  const first = await untilEnd(daemon, await startRun(daemon, source));
  const [started] = await startedBy(daemon, first);
  await clock.advance(1_000);
  await untilEnd(daemon, await startRun(daemon, source));
  expect((await daemon.call("GET", `/v1/runs/${first.id}`)).status).toBe(404);
  await clock.advance(3_600_000);
  expect(await outputOf(daemon, await untilEnd(daemon, started))).toBe(`${first.id} failure none\n`);
});

test("a delayed run is queued in the commit that ends its source, counts from that end, and survives a restart", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using daemon = await startDaemon({ clock });
  const [source, target] = [await makeTask(daemon, ":"), await makeTask(daemon, ":")];
  await link(daemon, source, target, { delay: "10m" });
  const run = await untilEnd(daemon, await startRun(daemon, source));
  const [started] = await startedBy(daemon, run);
  expect(started).toMatchObject({ state: "queued", scheduled_for: "2026-03-01T00:10:00.000Z" });
  await clock.advance(599_999);
  expect((await getRun(daemon, started)).state).toBe("queued");
  await daemon.stop();
  await using second = await startDaemon({ clock, dataDir: daemon.dataDir });
  await clock.advance(1);
  expect(await untilEnd(second, started)).toMatchObject({ state: "succeeded", attempt: 1 });
});

test("a target that cannot start leaves a skipped run with the reason, which starts nothing itself", async () => {
  await using daemon = await startDaemon();
  const source = await makeTask(daemon, ":");
  const last = await makeTask(daemon, ":");
  const group = await makeGroup(daemon);
  const reasons: Record<string, string> = {};
  const follow = async (reason: string, target: Json): Promise<void> => {
    reasons[target.id] = reason;
    await link(daemon, source, target, { on_outcome: "any" });
    await link(daemon, target, last, { on_outcome: "any" });
  };
  await follow("task_disabled", await makeTask(daemon, ":", { enabled: false }));
  await follow("command_incomplete", await made2xx(daemon.call("POST", "/v1/tasks", { name: "draft" })));
  const archived = await makeTask(daemon, ":");
  await made2xx(daemon.call("POST", `/v1/tasks/${archived.id}/archive`));
  await follow("task_inactive", archived);
  await follow("group_blocked", await makeTask(daemon, ":", { group_id: group.id }));
  await made2xx(daemon.call("POST", `/v1/groups/${group.id}/disable`));
  const busy = await makeTask(daemon, "sleep 3600", { concurrency: { on_conflict: "skip" }, kill_grace: "0s" });
  await untilState(daemon, await startRun(daemon, busy), "running");
  await follow("overlap", busy);

  const run = await untilEnd(daemon, await startRun(daemon, source));
  const started = await startedBy(daemon, run);
  expect(Object.fromEntries(started.map(({ task_id, reason }) => [task_id, reason]))).toEqual(reasons);
  for (const one of started) expect(one).toMatchObject({ state: "skipped", outcome: null, started_at: null });
  expect(await listRuns(daemon, `task_id=${last.id}`)).toEqual([]);
});

test("a target with a full queue leaves a skipped run, and the other targets of its source start", async () => {
  await using daemon = await startDaemon();
  const [source, full, other] = [await makeTask(daemon, ":"), await makeTask(daemon, ":"), await makeTask(daemon, ":")];
  for (let asked = 0; asked < 1_000; asked += 100) {
    const body = { scheduled_for: "2990-01-01T00:00:00Z" };
    await Promise.all(Array.from({ length: 100 }, () => startRun(daemon, full, body)));
  }
  await link(daemon, source, full);
  await link(daemon, source, other);
  const run = await untilEnd(daemon, await startRun(daemon, source));
  const started = await startedBy(daemon, run);
  expect(started.find(({ task_id }) => task_id === full.id)).toMatchObject({ state: "skipped", reason: "queue_full" });
  expect(
    await untilEnd(
      daemon,
      started.find(({ task_id }) => task_id === other.id),
    ),
  ).toMatchObject({
    state: "succeeded",
  });
});

test("a disabled chain starts nothing, and a change or deletion of a chain leaves runs it has requested", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const [source, target, other] = [
    await makeTask(daemon, ":"),
    await makeTask(daemon, ":"),
    await makeTask(daemon, ":"),
  ];
  const chain = await link(daemon, source, target, { enabled: false, delay: "1h" });
  const patch = (body: object) => made2xx(daemon.call("PATCH", `/v1/chains/${chain.id}`, body));
  const end = async () => untilEnd(daemon, await startRun(daemon, source));
  expect(await startedBy(daemon, await end())).toEqual([]);
  await patch({ enabled: true });
  const [first] = await startedBy(daemon, await end());
  await patch({ target_task_id: other.id, delay: "2h" });
  const [second] = await startedBy(daemon, await end());
  await daemon.call("DELETE", `/v1/chains/${chain.id}`);
  expect(await startedBy(daemon, await end())).toEqual([]);
  await clock.advance(7_200_000);
  for (const [run, task] of [
    [first, target],
    [second, other],
  ])
    expect(await untilEnd(daemon, run)).toMatchObject({
      task_id: task.id,
      state: "succeeded",
      source_chain_id: chain.id,
    });
});

test("a source with 1,000 targets starts each of them once, requested in the one commit that ended it", async () => {
  await using daemon = await startDaemon({ config: { runsAtOnceMax: 16 } });
  const source = await makeTask(daemon, ":");
  const targets = await importTasks(daemon, 1_000);
  for (let at = 0; at < targets.length; at += 50)
    await Promise.all(targets.slice(at, at + 50).map((id) => link(daemon, source, { id })));
  const run = await untilEnd(daemon, await startRun(daemon, source));
  const started = readHistory(daemon.dataDir).runs.filter(({ sourceRunId }) => sourceRunId === run.id);
  expect(new Set(started.map(({ taskId }) => taskId))).toEqual(new Set(targets));
  expect(started).toHaveLength(1_000);
  expect(new Set(started.map(({ queuedAt }) => queuedAt)).size).toBe(1);
  await untilAllEnded(daemon);
  const { runs } = readHistory(daemon.dataDir);
  expect(runs.filter(({ state, attempt }) => state === "succeeded" && attempt === 1)).toHaveLength(1_001);
});

test("a chain of 1,000 tasks runs from end to end, each once and in order", { timeout: 1_800_000 }, async () => {
  await using daemon = await startDaemon();
  const tasks = await importTasks(daemon, 1_000);
  for (let at = 1; at < tasks.length; at += 50) {
    const next = tasks.slice(at, at + 50);
    await Promise.all(next.map((id, index) => link(daemon, { id: tasks[at + index - 1]! }, { id })));
  }
  const back = { source_task_id: tasks.at(-1), target_task_id: tasks[0], on_outcome: "failure" };
  expect((await daemon.call("POST", "/v1/chains", back)).status).toBe(400);
  await startRun(daemon, { id: tasks[0]! });
  await untilRound(
    daemon,
    { what: "the last task's run", withinMs: 1_500_000 },
    async () => (await listRuns(daemon, `task_id=${tasks.at(-1)}`)).length === 1,
  );
  await untilAllEnded(daemon);
  const runs = readHistory(daemon.dataDir).runs;
  const byTask = new Map(runs.map((run) => [run.taskId, run]));
  expect([runs.length, byTask.size]).toEqual([1_000, 1_000]);
  tasks.forEach((id, index) => {
    const run = byTask.get(id)!;
    expect(run.state).toBe("succeeded");
    if (index === 0) return;
    const former = byTask.get(tasks[index - 1]!)!;
    expect(run.sourceRunId).toBe(former.id);
    expect(run.startedAt).toBeGreaterThanOrEqual(former.endedAt!);
  });
});

test("in a diamond the last task runs once for each path to it", async () => {
  await using daemon = await startDaemon();
  const [top, left, right, bottom] = [
    await makeTask(daemon, ":"),
    await makeTask(daemon, ":"),
    await makeTask(daemon, "exit 1"),
    await makeTask(daemon, ":"),
  ];
  await link(daemon, top, left);
  await link(daemon, top, right);
  const ways = [
    await link(daemon, left, bottom, { on_outcome: "any" }),
    await link(daemon, right, bottom, { on_outcome: "any" }),
  ];
  await startRun(daemon, top);
  const runs = await untilRound(daemon, "both runs of the bottom", async () => {
    const found = await listRuns(daemon, `task_id=${bottom.id}`);
    return found.length === 2 ? found : null;
  });
  expect(new Set(runs.map(({ source_chain_id }) => source_chain_id))).toEqual(new Set(ways.map(({ id }) => id)));
  for (const run of runs) expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded" });
});

test("why reports how each chain reacted to its source's last end", async () => {
  await using daemon = await startDaemon();
  const source = await makeTask(daemon, "exit 1", { name: "Load" });
  const target = await makeTask(daemon, ":");
  const why = async () => (await made2xx(daemon.call("GET", `/v1/tasks/${target.id}/why`))).chains as readonly Json[];
  expect(await why()).toEqual([]);
  const chain = await link(daemon, source, target);
  expect(await why()).toEqual([
    {
      chain_id: chain.id,
      source_task_id: source.id,
      source_task_name: "Load",
      decision: "not_due",
      run_id: null,
      source_run_id: null,
      reason: 'There is no record of an ended run of "Load" by this time: none had ended, or retention deleted it',
    },
  ]);
  const failed = await untilEnd(daemon, await startRun(daemon, source));
  expect(await why()).toMatchObject([
    {
      decision: "not_due",
      source_run_id: failed.id,
      reason: '"Load" failed, and the chain starts its task only after a success',
    },
  ]);
  await made2xx(daemon.call("PATCH", `/v1/tasks/${source.id}`, { command: { kind: "shell", script: ":" } }));
  const good = await untilEnd(daemon, await startRun(daemon, source));
  const [started] = await startedBy(daemon, good);
  await untilEnd(daemon, started);
  expect(await why()).toMatchObject([
    {
      decision: "ran",
      run_id: started.id,
      source_run_id: good.id,
      reason: '"Load" succeeded, and the run after it exited with code 0',
    },
  ]);
  await made2xx(daemon.call("PATCH", `/v1/chains/${chain.id}`, { enabled: false }));
  await untilEnd(daemon, await startRun(daemon, source));
  expect(await why()).toMatchObject([{ decision: "not_due", reason: "The chain is disabled" }]);
  await made2xx(daemon.call("PATCH", `/v1/chains/${chain.id}`, { enabled: true }));
  await made2xx(daemon.call("POST", `/v1/tasks/${target.id}/disable`));
  await untilEnd(daemon, await startRun(daemon, source));
  expect(await why()).toMatchObject([
    { decision: "skipped", reason: '"Load" succeeded, and the run after it was skipped: the task is disabled' },
  ]);
});

test("why reports the latest end of the source, not the run requested last, and no skipped run", async () => {
  await using place = await tempDir();
  await using daemon = await startDaemon();
  // the second of the two ends immediately, the first when the test allows it
  const script = `mkdir ${place.path}/first || exit 1; ${waitFor(join(place.path, "go"))}`;
  const source = await makeTask(daemon, script, { concurrency: { limit: 2, on_conflict: "skip" } });
  const target = await makeTask(daemon, ":");
  const chain = await link(daemon, source, target);
  const patient = await untilState(daemon, await startRun(daemon, source), "running");
  await until("it is the first", () => existsSync(join(place.path, "first")));
  expect(await untilEnd(daemon, await startRun(daemon, source))).toMatchObject({ state: "failed" });
  await made2xx(daemon.call("PATCH", `/v1/tasks/${source.id}`, { concurrency: { limit: 1, on_conflict: "skip" } }));
  expect(await startRun(daemon, source)).toMatchObject({ state: "skipped" });
  await writeFile(join(place.path, "go"), "");
  await untilEnd(daemon, patient);
  const [started] = await startedBy(daemon, patient);
  await untilEnd(daemon, started);
  expect((await made2xx(daemon.call("GET", `/v1/tasks/${target.id}/why`))).chains).toMatchObject([
    { chain_id: chain.id, decision: "ran", run_id: started.id, source_run_id: patient.id },
  ]);
});

test("a rerun of a target is a manual run that names no chain", async () => {
  await using daemon = await startDaemon();
  const [source, target] = [await makeTask(daemon, ":"), await makeTask(daemon, "env | grep -c ^BELFRY_SOURCE")];
  await link(daemon, source, target);
  const run = await untilEnd(daemon, await startRun(daemon, source));
  const [started] = await startedBy(daemon, run);
  await untilEnd(daemon, started);
  const again = await untilEnd(daemon, await made2xx(daemon.call("POST", `/v1/runs/${started.id}/rerun`)));
  expect(again).toMatchObject({ trigger: "manual", source_chain_id: null });
  expect(again).not.toHaveProperty("source_run_id");
  expect(await outputOf(daemon, again)).toBe("0\n");
  expect(await runOnce(daemon, ":")).toMatchObject({ trigger: "manual" });
});

/** Imports tasks that do nothing, and returns their ids. */
async function importTasks(daemon: Daemon, count: number): Promise<readonly string[]> {
  const command = { kind: "exec", program: "/bin/true" };
  const tasks = Array.from({ length: count }, (_, index) => ({ key: `t${index}`, name: `step ${index}`, command }));
  const ids: string[] = [];
  for (const file of inBatches(tasks, limits.importItemsMax)) {
    const { tasks: made } = await made2xx(daemon.call("POST", "/v1/import", { tasks: file }));
    ids.push(...made.map(({ id }: Json) => id as string));
  }
  return ids;
}

const untilAllEnded = (daemon: Harness): Promise<boolean> =>
  until("the end of every run", () => hasEveryRunEnded(daemon.dataDir));
