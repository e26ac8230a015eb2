import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFolder, keptFolder, liveFolder } from "../../src/runner/places.ts";
import { soleSource } from "../../src/features/runs/source.ts";
import { openTestApplication } from "../support/application.ts";
import { endRun } from "../support/runs.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { finishHousekeeping, untilRound } from "../support/rounds.ts";
import { assign, listDeliveries, makeChannel } from "../support/channels.ts";
import { startReceiver } from "../support/receiver.ts";
import { listRuns, made2xx, makeTask, outputOf, startRun, untilEnd, untilState, waitFor } from "../support/tasks.ts";
import { link, startedBy } from "../support/chains.ts";

const firstHousekeepingMs = 60_000;

/** Every attempt with stored files. */
async function keptAttempts(daemon: Harness): Promise<readonly string[]> {
  const top = join(daemon.dataDir, "attempts", "kept");
  const spread = await readdir(top).catch(() => []);
  return (await Promise.all(spread.map((name) => readdir(join(top, name))))).flat();
}

/** Advances the clock in small steps while real work completes, which does not depend on the clock. */
function untilTidy(what: string, clock: ManualClock, isSo: () => Promise<boolean>): Promise<unknown> {
  return until(what, async () => {
    await clock.advance(10);
    return isSo();
  });
}

test("a task keeps its configured number of ended runs: the newest, with their output, and nothing of the others", async () => {
  await using daemon = await startDaemon();
  const task = await makeTask(daemon, 'echo "$BELFRY_RUN_ID"', { retention: { runs: 3 } });
  const runs = [];
  for (let number = 0; number < 6; number++) runs.push(await untilEnd(daemon, await startRun(daemon, task)));
  const left = await listRuns(daemon, `task_id=${task.id}`);
  expect(left.map(({ id }) => id)).toEqual(
    runs
      .slice(3)
      .map(({ id }) => id)
      .reverse(),
  );
  await until("the output of the others to go", async () => (await keptAttempts(daemon)).length === 3);
  for (const run of left) expect(await outputOf(daemon, run)).toBe(`${run.id}\n`);
  expect((await daemon.call("GET", `/v1/runs/${runs[0].id}/output`)).status).toBe(404);
});

test("a task keeps as much output as its limit: the newest runs, and the latest whatever its size", async () => {
  const clock = new ManualClock(new Date().toISOString());
  await using place = await tempDir();
  await using daemon = await startDaemon({ clock });
  const script = 'head -c "$(cat size)" /dev/zero';
  const task = await makeTask(daemon, script, { working_directory: place.path, retention: { bytes: 10_000 } });
  const write = async (size: number): Promise<{ readonly id: string }> => {
    await writeFile(join(place.path, "size"), String(size));
    await clock.advance(10);
    return untilEnd(daemon, await startRun(daemon, task));
  };
  const left = async () => (await listRuns(daemon, `task_id=${task.id}`)).map(({ id }) => id).reverse();
  const runs = [];
  for (let number = 0; number < 4; number++) runs.push(await write(3_000));
  expect(await left()).toEqual(runs.slice(1).map(({ id }) => id));
  const large = await write(50_000);
  expect(await left()).toEqual([large.id]);
  await until("the output of the others to go", async () => (await keptAttempts(daemon)).length === 1);
  await clock.advance(firstHousekeepingMs);
  expect(await left()).toEqual([large.id]);
  expect(await outputOf(daemon, large)).toHaveLength(50_000);
  const small = await write(1);
  expect(await left()).toEqual([small.id]);
});

test("a skipped run deletes no output, however much the run before it wrote", async () => {
  await using app = await openTestApplication();
  const task = await makeTask(app, "true", { retention: { bytes: 1_024 } });
  const large = await endRun(app, task.id, { stdoutBytes: 5_000 });
  const { inside } = app;
  inside.write((unit) => {
    const source = soleSource({ trigger: "manual" }, unit.now, unit.now);
    inside.requests.skipFor(unit, inside.tasks.get(task.id), { source, reason: "overlap" });
  });
  expect((await app.call("GET", `/v1/runs/${large.id}`)).status).toBe(200);
  const next = await endRun(app, task.id, { stdoutBytes: 10 });
  expect((await app.call("GET", `/v1/runs/${large.id}`)).status).toBe(404);
  expect((await app.call("GET", `/v1/runs/${next.id}`)).status).toBe(200);
  expect(inside.tasks.keptBytesOf(task.id)).toBe(10);
});

test("the order of the output counts as much as its bytes", async () => {
  await using app = await openTestApplication();
  const task = await makeTask(app, "true", { retention: { bytes: 1_024 } });
  const runs = [];
  for (let number = 0; number < 4; number++)
    runs.push(await endRun(app, task.id, { stdoutBytes: 12, orderBytes: 500 }));
  expect((await listRuns(app, `task_id=${task.id}`)).map(({ id }) => id)).toEqual([runs[3].id, runs[2].id]);
  expect(app.inside.tasks.keptBytesOf(task.id)).toBe(1_024);
});

test("every attempt counts, the runs of other tasks do not, and a lower limit applies from the next end on", async () => {
  await using daemon = await startDaemon();
  const options = { retry: { max_attempts: 2, delay: "0s" }, retention: { bytes: 10_000 } };
  const script = "head -c 2000 /dev/zero; head -c 1000 /dev/zero >&2; exit 1";
  const [task, other] = [await makeTask(daemon, script, options), await makeTask(daemon, script, options)];
  const idsOf = async ({ id }: { readonly id: string }) =>
    (await listRuns(daemon, `task_id=${id}`)).map((run) => run.id);
  const runs = [];
  for (let number = 0; number < 2; number++) {
    await untilEnd(daemon, await startRun(daemon, other));
    runs.push(await untilEnd(daemon, await startRun(daemon, task)));
  }
  expect(await idsOf(task)).toEqual([runs[1].id]);
  await daemon.call("PATCH", `/v1/tasks/${task.id}`, { retention: { bytes: 6_000 } });
  runs.push(await untilEnd(daemon, await startRun(daemon, task)));
  expect(await idsOf(task)).toEqual([runs[2].id]);
  expect(await idsOf(other)).toHaveLength(1);
});

test("one write removes a bounded number of runs, however many tasks it prunes, and each of them gets smaller", async () => {
  await using app = await openTestApplication();
  const { inside } = app;
  const tasks = [await makeTask(app, "true"), await makeTask(app, "true"), await makeTask(app, "true")];
  for (const { id } of tasks) for (let number = 0; number < 90; number++) await endRun(app, id);
  for (const { id } of tasks) await app.call("PATCH", `/v1/tasks/${id}`, { retention: { runs: 1 } });
  const prune = (): readonly number[] =>
    inside.write((unit) => tasks.map(({ id }) => inside.retention.prune(unit, id)));
  expect(prune()).toEqual([89, 11, 2]);
  expect(prune()).toEqual([0, 78, 22]);
  expect(prune()).toEqual([0, 0, 65]);
  expect(prune()).toEqual([0, 0, 0]);
});

test("runs of a task that no longer runs are deleted once they are too old, and waiting runs stay", async () => {
  // the time of an end is from the runner's clock, which is the system's
  const clock = new ManualClock(new Date().toISOString());
  await using daemon = await startDaemon({ clock });
  const task = await makeTask(daemon, "echo old", { retention: { age: "1h" } });
  await untilEnd(daemon, await startRun(daemon, task));
  const waiting = await startRun(daemon, task, { scheduled_for: "2990-01-01T00:00:00Z" });
  await clock.advance(firstHousekeepingMs);
  await untilTidy("nothing", clock, async () => (await keptAttempts(daemon)).length === 1);
  expect(await listRuns(daemon, `task_id=${task.id}`)).toHaveLength(2);
  await clock.advance(2 * 3_600_000);
  await untilTidy("the old output to go", clock, async () => (await keptAttempts(daemon)).length === 0);
  expect((await listRuns(daemon, `task_id=${task.id}`)).map(({ id }) => id)).toEqual([waiting.id]);
});

test("runs that end in one write each send their notifications and start their chains before retention deletes the excess", async () => {
  const clock = new ManualClock(new Date().toISOString());
  await using receiver = await startReceiver();
  await using daemon = await startDaemon({ clock, config: { runsAtOnceMax: 10 } });
  const task = await makeTask(daemon, "exit 1", {
    concurrency: { limit: 3 },
    retry: { max_attempts: 2, delay: "1h", jitter: 0 },
    retention: { runs: 1 },
  });
  await link(daemon, task, await makeTask(daemon, ":"), { on_outcome: "failure" });
  await assign(daemon, `tasks/${task.id}`, [[await makeChannel(daemon, receiver.url), true, true]]);
  const runs = [];
  for (let number = 0; number < 3; number++) {
    const run = await startRun(daemon, task);
    runs.push(run);
    await clock.advance(10);
    await untilRound(daemon, "the pause", async () => (await untilState(daemon, run, "queued")).attempt === 2);
  }
  await daemon.call("POST", `/v1/tasks/${task.id}/disable`);
  // no further attempt can start: all three end in the round that detects it
  await clock.advance(2 * 3_600_000);
  await untilRound(daemon, "the round", async () =>
    (await listRuns(daemon, `task_id=${task.id}`)).every((run) => run.ended_at),
  );
  expect((await listRuns(daemon, `task_id=${task.id}`)).map(({ id }) => id)).toEqual([runs[2].id]);
  for (const run of runs) expect(await startedBy(daemon, run)).toHaveLength(1);
  const notified = new Set((await listDeliveries(daemon)).map(({ run_id }) => run_id));
  expect(notified).toEqual(new Set(runs.map(({ id }) => id)));
});

test("the runs requested last are kept when the clock is set back, and no run is deleted when it ends", async () => {
  const clock = new ManualClock(new Date().toISOString());
  await using place = await tempDir();
  await using daemon = await startDaemon({ clock });
  const task = await makeTask(daemon, "exit 1", { retention: { runs: 2 }, concurrency: { limit: 2 } });
  for (let number = 0; number < 2; number++) await untilEnd(daemon, await startRun(daemon, task));
  clock.jump(-365 * 86_400_000);
  const later = await untilEnd(daemon, await startRun(daemon, task));
  expect((await listRuns(daemon, `task_id=${task.id}`)).map(({ id }) => id)).toContain(later.id);

  const slow = await makeTask(
    daemon,
    `mkdir ${place.path}/first || exit 1; ${waitFor(join(place.path, "go"))}; exit 2`,
    {
      retention: { runs: 1 },
      concurrency: { limit: 2 },
    },
  );
  const patient = await untilState(daemon, await startRun(daemon, slow), "running");
  await until("it is the first", () => existsSync(join(place.path, "first")));
  await untilEnd(daemon, await startRun(daemon, slow));
  await writeFile(join(place.path, "go"), "");
  expect(await untilEnd(daemon, patient)).toMatchObject({ state: "failed", exit_code: 2 });
});

test("of many runs that end in one write, none is deleted in it", async () => {
  await using place = await tempDir();
  await using daemon = await startDaemon();
  const key = { concurrency: { limit: 1, key: "disk" } };
  const go = join(place.path, "go");
  const first = await startRun(daemon, await makeTask(daemon, waitFor(go), key));
  const task = await makeTask(daemon, ":", { ...key, retention: { runs: 2 } });
  const runs = [];
  for (let number = 0; number < 6; number++) runs.push(await startRun(daemon, task));
  await made2xx(daemon.call("POST", `/v1/tasks/${task.id}/disable`));
  for (const run of runs) expect(await untilEnd(daemon, run)).toMatchObject({ reason: "task_disabled" });
  await writeFile(go, "");
  await untilEnd(daemon, first);
  // the next end removes the older ones
  await made2xx(daemon.call("POST", `/v1/tasks/${task.id}/enable`));
  const last = await untilEnd(daemon, await startRun(daemon, task));
  const kept = (await listRuns(daemon, `task_id=${task.id}`)).map(({ id }) => id);
  expect(kept).toEqual([last.id, runs[5].id]);
});

test("a run that lasted longer than the retention period is kept for that period from its end", async () => {
  const clock = new ManualClock(new Date().toISOString());
  await using daemon = await startDaemon({ clock });
  const task = await makeTask(daemon, "exit 1", {
    retry: { max_attempts: 2, delay: "3h", max_delay: "3h", jitter: 0 },
    retention: { age: "1h" },
  });
  const run = await startRun(daemon, task);
  await untilRound(daemon, "the pause", async () => (await untilState(daemon, run, "queued")).attempt === 2);
  await daemon.call("POST", `/v1/tasks/${task.id}/disable`);
  await clock.advance(3 * 3_600_000);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", attempt: 1 });
});

test("output whose run is deleted is found and removed, and so is a claim whose daemon and runner are gone", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const run = await untilEnd(daemon, await startRun(daemon, await makeTask(daemon, "echo kept")));
  await until("its output to be put away", async () => (await keptAttempts(daemon)).length === 1);
  const [attempt] = await keptAttempts(daemon);
  const stray = keptFolder(daemon.dataDir, "att_straystraystraystray");
  await mkdir(stray, { recursive: true });
  await writeFile(join(stray, "stdout"), "nobody's");
  // the state after daemon and runner both die between recording an end and forgetting it
  const abandoned = claimFolder(daemon.dataDir, "att_abandonedabandoned00");
  await mkdir(abandoned);
  const runner = { id: "dead", pid: 1, startTime: -1, bootId: "of another boot" };
  await writeFile(join(abandoned, "claim"), `${JSON.stringify({ runner, mark: null, graceMs: 0 })}\n`);
  await writeFile(join(abandoned, "stdout"), "nobody's either");

  await finishHousekeeping(daemon, clock, firstHousekeepingMs);
  expect(await readdir(liveFolder(daemon.dataDir))).toEqual([]);
  expect(await keptAttempts(daemon)).toEqual([attempt]);
  expect(await outputOf(daemon, run)).toBe("kept\n");
});
