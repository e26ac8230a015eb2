import { tempDir, until } from "@belfry/test-kit";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liveFolder } from "../../src/runner/places.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { hasCgroups } from "../support/processes/has-cgroups.ts";
import { escaped, leavers, leaving, leftIn } from "../support/processes/leavers.ts";
import { killRunners } from "../support/processes/runners.ts";
import { cancel, type Daemon, getRun, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";

const daemons = useDaemonProcess();
const deaf = leavers["a process that ignores TERM"];

function makeLeaving(daemon: Daemon, place: string, more: object = {}) {
  const script = leaving([deaf, ...Object.values(leavers), ...(hasCgroups() ? [escaped] : [])], 0);
  return makeTask(daemon, script, { environment: { PLACE: place }, leftovers: "kill", kill_grace: "2s", ...more });
}

/** Waits until a runner has noted the exit of the only attempt: then it ends what is left, with a grace. */
async function untilGrace(dataDir: string): Promise<void> {
  await until("the exit is noted", async () => {
    const [attempt] = await readdir(liveFolder(dataDir));
    if (attempt === undefined) return false;
    return (await readFile(join(liveFolder(dataDir), attempt, "claim"), "utf8")).includes('"exit"');
  });
}

const succeeded = { state: "succeeded", outcome: "success", reason: "exit_code", exit_code: 0 };

test("a run keeps its slot until what it left is gone, and its duration ends with its main process", async () => {
  await using place = await tempDir();
  await using daemon = await daemons.start();
  const task = await makeLeaving(daemon, place.path, { concurrency: { limit: 1 }, kill_grace: "10s" });
  const run = await startRun(daemon, task);
  const next = await startRun(daemon, task);
  await untilGrace(daemon.dataDir);
  // the daemon writes the start up to 20 ms after the runner has reported it
  await untilState(daemon, run, "running");
  expect(await getRun(daemon, run)).toMatchObject({ state: "running", ended_at: null });
  expect(await getRun(daemon, next)).toMatchObject({ state: "queued" });
  const ended = await untilEnd(daemon, run);
  expect(ended).toMatchObject(succeeded);
  const tookMs = Date.parse(ended.ended_at) - Date.parse(ended.started_at);
  expect(ended.duration_ms).toBeLessThan(tookMs - 9_900);
  const after = await untilEnd(daemon, next);
  expect(after).toMatchObject(succeeded);
  expect(Date.parse(after.started_at)).toBeGreaterThanOrEqual(Date.parse(ended.ended_at));
  expect(await leftIn(place.path)).toEqual([]);
});

test("a runner that is killed in the grace loses no exit, and nothing survives", async () => {
  await using place = await tempDir();
  await using daemon = await daemons.start();
  const run = await startRun(daemon, await makeLeaving(daemon, place.path));
  await untilGrace(daemon.dataDir);
  await killRunners(daemon.dataDir);
  expect(await untilEnd(daemon, run)).toMatchObject(succeeded);
  expect(await leftIn(place.path)).toEqual([]);
});

test("a daemon that is killed in the grace gets the exit from its runner, and nothing survives", async () => {
  await using place = await tempDir();
  await using first = await daemons.start();
  const run = await startRun(first, await makeLeaving(first, place.path));
  await untilGrace(first.dataDir);
  await first.kill();
  await using second = await daemons.start({ dataDir: first.dataDir });
  expect(await untilEnd(second, run)).toMatchObject(succeeded);
  expect(await leftIn(place.path)).toEqual([]);
});

test("a daemon and its runner that are both killed in the grace: the next daemon ends the rest", async () => {
  await using place = await tempDir();
  await using first = await daemons.start();
  const run = await startRun(first, await makeLeaving(first, place.path));
  await untilGrace(first.dataDir);
  await first.kill();
  await killRunners(first.dataDir);
  await using second = await daemons.start({ dataDir: first.dataDir });
  expect(await untilEnd(second, run)).toMatchObject(succeeded);
  expect(await leftIn(place.path)).toEqual([]);
});

test("a cancel in the grace keeps the exit, and a second one skips the rest of the grace", async () => {
  await using place = await tempDir();
  await using daemon = await daemons.start();
  const run = await startRun(daemon, await makeLeaving(daemon, place.path, { kill_grace: "1h" }));
  await untilGrace(daemon.dataDir);
  expect((await cancel(daemon, run)).json.state).toBe("cancelling");
  await cancel(daemon, run);
  expect(await untilEnd(daemon, run)).toMatchObject(succeeded);
  expect(await leftIn(place.path)).toEqual([]);
});

test.skipIf(!hasCgroups())("what escaped from a run whose runner is killed ends with the run", async () => {
  await using place = await tempDir();
  await using daemon = await daemons.start();
  const script = leaving([escaped], 0).replace("exit 0", "sleep 600");
  const task = await makeTask(daemon, script, { environment: { PLACE: place.path }, kill_grace: "100ms" });
  const run = await startRun(daemon, task);
  await until("it has escaped", async () => (await leftIn(place.path)).length === 1);
  await killRunners(daemon.dataDir);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "lost" });
  expect(await leftIn(place.path)).toEqual([]);
});
