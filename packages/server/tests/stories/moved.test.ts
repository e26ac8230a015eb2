import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { cp, lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { link } from "../support/chains.ts";
import { assign, listDeliveries, makeChannel, sendTest, untilDelivery } from "../support/channels.ts";
import { rewriteRows } from "../support/damage.ts";
import { startDaemon } from "../support/harness.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";
import { finishHousekeeping } from "../support/rounds.ts";
import {
  getRun,
  listRuns,
  made2xx,
  makeTask,
  runOnce,
  startRun,
  untilEnd,
  untilState,
  waitFor,
} from "../support/tasks.ts";
import { place as putFile, watch } from "../support/watchers.ts";

/** Copies the files of a data directory. A copied socket would have no listener. */
async function copyData(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
}

test("data from another machine is held: its work ends as lost without consequences, and nothing starts or is sent", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using receiver = await startReceiver({ behave: answerWith(500) });
  await using original = await tempDir("bf-");
  await using place = await tempDir("bf-");
  const dataDir = join(place.path, "moved");
  const go = join(original.path, "go");
  const marks = join(original.path, "marks");
  let tasks, runs;
  {
    await using daemon = await startDaemon({ clock, dataDir: original.path, machineId: "a".repeat(32) });
    const work = await makeTask(daemon, `echo begun >> '${marks}'; ${waitFor(go)}; echo ended >> '${marks}'`, {
      on_lost: "retry",
    });
    const next = await makeTask(daemon, `echo next >> '${marks}'`);
    await link(daemon, work, next, { on_outcome: "any" });
    const channel = await makeChannel(daemon, receiver.url);
    await assign(daemon, `tasks/${work.id}`, [[channel, true, true]]);
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: next.id, kind: "cron", expression: "* * * * *" }));
    const running = await startRun(daemon, work);
    await untilState(daemon, running, "running");
    tasks = { work, next };
    runs = [running, await startRun(daemon, work)];
    const delivery = await sendTest(daemon, channel);
    await untilDelivery(daemon, delivery, { state: "pending", attempt_count: 1 });
    await daemon.stop();
    // its runner is alive, but serves the original directory
    await copyData(original.path, dataDir);
    await writeFile(go, "");
  }
  // the original may have run these times
  clock.jump(10 * 60_000);
  await using daemon = await startDaemon({ clock, dataDir, machineId: "b".repeat(32) });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([{ group_id: null, cause: "moved" }]);
  for (const run of runs)
    expect(await getRun(daemon, run)).toMatchObject({
      state: "failed",
      outcome: "failure",
      reason: "lost",
      reason_text: expect.stringMatching(/came from another machine/),
      ended_at: "2026-03-01T00:10:30.000Z",
    });
  expect(await listDeliveries(daemon)).toMatchObject([
    { event: "test", state: "failed", diagnostic: expect.stringMatching(/^restored: /) },
  ]);
  await clock.advance(5 * 60_000);
  const channelId = (await listDeliveries(daemon))[0].channel_id;
  const waiting = await sendTest(daemon, { id: channelId });
  const requests = receiver.requests.length;
  await clock.advance(60_000);
  expect(await listRuns(daemon, `task_id=${tasks.next.id}`)).toMatchObject([
    { state: "skipped", reason: "held", coalesced: 15, scheduled_for: "2026-03-01T00:16:00.000Z" },
  ]);
  expect(receiver.requests).toHaveLength(requests);

  await made2xx(daemon.call("POST", "/v1/release", { cause: "moved" }));
  await untilDelivery(daemon, waiting, { attempt_count: 1 });
  await clock.advance(60_000);
  const [first] = await listRuns(daemon, `task_id=${tasks.next.id}`);
  expect(first).toMatchObject({ scheduled_for: "2026-03-01T00:17:00.000Z" });
  expect(await untilEnd(daemon, first)).toMatchObject({ outcome: "success" });
  expect(await listRuns(daemon, `task_id=${tasks.work.id}`)).toHaveLength(2);
  expect((await readFile(marks, "utf8")).match(/begun/g)).toHaveLength(1);
});

test("a run whose runner is alive continues if only the id of the machine has changed, and nothing runs twice", async () => {
  await using place = await tempDir("bf-");
  const { path: dataDir } = place;
  const go = join(dataDir, "go");
  const marks = join(dataDir, "marks");
  let work, next, running, queued;
  {
    await using former = await startDaemon({ dataDir, machineId: "a".repeat(32) });
    work = await makeTask(former, `echo begun >> '${marks}'; ${waitFor(go)}; exit 7`, { concurrency: { limit: 1 } });
    next = await makeTask(former, ":");
    await link(former, work, next, { on_outcome: "failure" });
    running = await startRun(former, work);
    queued = await startRun(former, work);
    await untilState(former, running, "running");
    await former.stop();
    await using daemon = await startDaemon({ dataDir, machineId: "b".repeat(32) });
    expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([{ cause: "moved" }]);
    expect(await getRun(daemon, running)).toMatchObject({ state: "running" });
    expect(await getRun(daemon, queued)).toMatchObject({ state: "failed", reason: "lost" });
    await made2xx(daemon.call("POST", "/v1/release", { cause: "moved" }));
    const third = await startRun(daemon, work);
    expect((await runOnce(daemon, ":")).outcome).toBe("success");
    // it waits for the slot of the run that goes on
    expect(await getRun(daemon, third)).toMatchObject({ state: "queued" });
    expect((await readFile(marks, "utf8")).match(/begun/g)).toHaveLength(1);
    await writeFile(go, "");
    expect(await untilEnd(daemon, running)).toMatchObject({ outcome: "failure", reason: "exit_code", exit_code: 7 });
    expect(await untilEnd(daemon, third)).toMatchObject({ exit_code: 7 });
    expect((await readFile(marks, "utf8")).match(/begun/g)).toHaveLength(2);
  }
});

test("while data from elsewhere is held, no history is removed, whatever its age", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using place = await tempDir("bf-");
  const dataDir = place.path;
  let task, run;
  {
    await using former = await startDaemon({ clock, dataDir, machineId: "a".repeat(32) });
    task = await makeTask(former, ":", { retention: { age: "1d" } });
    run = await untilEnd(former, await startRun(former, task));
    await made2xx(former.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "0 3 * * *" }));
  }
  // processes end in real time, whatever the clock of the test says
  rewriteRows(dataDir, "UPDATE runs SET ended_at = queued_at");
  clock.jump(60 * 86_400_000);
  await using daemon = await startDaemon({ clock, dataDir, machineId: "b".repeat(32) });
  const listed = async () => (await listRuns(daemon, `task_id=${task.id}`)).map(({ id, reason }) => [id, reason]);
  // the skipped times of its schedule get a row, whose end would remove the old ones
  const skipped = [expect.stringMatching(/^run_/), "held"];
  await finishHousekeeping(daemon, clock, 61_000);
  expect(await listed()).toEqual([skipped, [run.id, "exit_code"]]);
  await clock.advance(86_400_000);
  expect(await listed()).toEqual([skipped, [run.id, "exit_code"]]);
  await made2xx(daemon.call("POST", "/v1/release", { cause: "moved" }));
  await finishHousekeeping(daemon, clock, 3_600_000);
  expect(await listed()).toEqual([skipped]);
});

test("files that change while data from elsewhere is held start no run, and later ones do", async () => {
  await using place = await tempDir("bf-");
  const dataDir = join(place.path, "data");
  await mkdir(dataDir);
  let watching;
  {
    await using former = await startDaemon({ dataDir, machineId: "a".repeat(32) });
    watching = await watch(former, { place: place.path });
  }
  await using daemon = await startDaemon({ dataDir, machineId: "b".repeat(32) });
  const healthOf = async () => (await daemon.call("GET", `/v1/filesystem-watchers/${watching.id}`)).json.health.state;
  await until("the observation", async () => (await healthOf()) === "observing");
  putFile(watching.root, "held");
  await until("the settled file", async () => {
    const why = (await daemon.call("GET", `/v1/tasks/${watching.taskId}/why`)).json;
    return /no run can start: the task is held/.test(why.watchers[0].reason);
  });
  await made2xx(daemon.call("POST", "/v1/release", { cause: "moved" }));
  await until("the new observation", async () => (await healthOf()) === "observing");
  putFile(watching.root, "later");
  const run = await until("a run", async () => (await listRuns(daemon, `task_id=${watching.taskId}`))[0]);
  expect(await untilEnd(daemon, run)).toMatchObject({ outcome: "success" });
  expect(await listRuns(daemon, `task_id=${watching.taskId}`)).toHaveLength(1);
  expect(await watching.ended()).toEqual([["later"]]);
});

test("the hold of data from elsewhere ends only by a release that names its cause, and never by itself", async () => {
  await using place = await tempDir("bf-");
  {
    await using former = await startDaemon({ dataDir: place.path, machineId: "a".repeat(32) });
    await made2xx(former.call("POST", "/v1/hold", { until: "2100-01-01T00:00:00Z", reason: "Database upgrade" }));
  }
  await using daemon = await startDaemon({ dataDir: place.path, machineId: "b".repeat(32) });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([
    { cause: "moved", until: null, reason: null },
  ]);
  expect((await daemon.call("POST", "/v1/hold", { until: "2100-01-01T00:00:00Z" })).json.error).toMatchObject({
    code: "conflict",
    field: "until",
    message: expect.stringMatching(/^until cannot be set, because the data came from another machine/),
  });
  expect(await made2xx(daemon.call("POST", "/v1/hold", { reason: "checking" }))).toMatchObject({ cause: "moved" });
  for (const body of [{}, { cause: "restored" }])
    expect((await daemon.call("POST", "/v1/release", body)).json.error).toMatchObject({
      code: "conflict",
      field: "cause",
    });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toHaveLength(1);
  await made2xx(daemon.call("POST", "/v1/release", { cause: "moved" }));
});

test.each([
  ["the same machine", "a".repeat(32), true],
  ["a machine without an id", null, true],
  ["another machine, if the configuration says so", "b".repeat(32), false],
])("data of %s is not held, also in another boot", async (_what, machineId, holdWhenMoved) => {
  await using files = await tempDir("bf-");
  const dataDir = files.path;
  {
    await using _daemon = await startDaemon({ dataDir, machineId: "a".repeat(32) });
  }
  await using daemon = await startDaemon({ dataDir, machineId, bootId: "another", config: { holdWhenMoved } });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toEqual([]);
});
