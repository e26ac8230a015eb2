import { tempDir, until } from "@belfry/test-kit";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liveFolder } from "../../src/runner/places.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { hasCgroups } from "../support/processes/has-cgroups.ts";
import { escaped, leavers, leaving, leftIn } from "../support/processes/leavers.ts";
import { killRunners } from "../support/processes/runners.ts";
import { cancel, getRun, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";

const daemons = useDaemonProcess();
const deaf = leavers["a process that ignores TERM"];

let tries = 0;

/**
 * Starts a run, and waits until its runner has noted the exit: then it ends what is left, with a grace. Starts another
 * one, with a place of its own, if the grace is over before it is seen.
 */
function startInGrace(daemon: DaemonProcess, folder: string, more: object = {}) {
  return until("a run in its grace", async () => {
    const place = join(folder, String(++tries));
    await mkdir(place);
    const script = leaving([deaf, ...Object.values(leavers), ...(hasCgroups() ? [escaped] : [])], 0);
    const settings = { environment: { PLACE: place }, leftovers: "kill", kill_grace: "15s", ...more };
    const run = await startRun(daemon, await makeTask(daemon, script, settings));
    const { isNoted } = await until("the exit is noted", async () => {
      if (await isExitNoted(daemon.dataDir)) return { isNoted: true };
      return (await getRun(daemon, run)).ended_at === null ? null : { isNoted: false };
    });
    return isNoted ? { run, place } : null;
  });
}

/** Whether the claim of the only attempt has its exit. */
async function isExitNoted(dataDir: string): Promise<boolean> {
  const [attempt] = await readdir(liveFolder(dataDir));
  if (attempt === undefined) return false;
  // the claim may be removed meanwhile
  const claim = await readFile(join(liveFolder(dataDir), attempt, "claim"), "utf8").catch(() => "");
  return claim.includes('"exit"');
}

const succeeded = { state: "succeeded", outcome: "success", reason: "exit_code", exit_code: 0 };

test("a run keeps its slot until what it left is gone, and its duration ends with its main process", async () => {
  await using dir = await tempDir();
  await using daemon = await daemons.start();
  const { run, place } = await startInGrace(daemon, dir.path, { concurrency: { limit: 1 }, kill_grace: "30s" });
  const next = await startRun(daemon, { id: run.task_id });
  // the daemon writes the start up to 20 ms after the runner has reported it
  await untilState(daemon, run, "running");
  expect(await getRun(daemon, run)).toMatchObject({ state: "running", ended_at: null });
  expect(await getRun(daemon, next)).toMatchObject({ state: "queued" });
  const ended = await untilEnd(daemon, run);
  expect(ended).toMatchObject(succeeded);
  const tookMs = Date.parse(ended.ended_at) - Date.parse(ended.started_at);
  expect(ended.duration_ms).toBeLessThan(tookMs - 29_900);
  const after = await untilEnd(daemon, next);
  expect(after).toMatchObject(succeeded);
  expect(Date.parse(after.started_at)).toBeGreaterThanOrEqual(Date.parse(ended.ended_at));
  expect(await leftIn(place)).toEqual([]);
});

test("a runner that is killed in the grace loses no exit, and nothing survives", async () => {
  await using dir = await tempDir();
  await using daemon = await daemons.start();
  const { run, place } = await startInGrace(daemon, dir.path);
  await killRunners(daemon.dataDir);
  expect(await untilEnd(daemon, run)).toMatchObject(succeeded);
  expect(await leftIn(place)).toEqual([]);
});

test("a daemon that is killed in the grace gets the exit from its runner, and nothing survives", async () => {
  await using dir = await tempDir();
  await using first = await daemons.start();
  const { run, place } = await startInGrace(first, dir.path);
  await first.kill();
  await using second = await daemons.start({ dataDir: first.dataDir });
  expect(await untilEnd(second, run)).toMatchObject(succeeded);
  expect(await leftIn(place)).toEqual([]);
});

test("a daemon and its runner that are both killed in the grace: the next daemon ends the rest", async () => {
  await using dir = await tempDir();
  await using first = await daemons.start();
  const { run, place } = await startInGrace(first, dir.path);
  await first.kill();
  await killRunners(first.dataDir);
  await using second = await daemons.start({ dataDir: first.dataDir });
  expect(await untilEnd(second, run)).toMatchObject(succeeded);
  expect(await leftIn(place)).toEqual([]);
});

test("a cancel in the grace keeps the exit, and a second one skips the rest of the grace", async () => {
  await using dir = await tempDir();
  await using daemon = await daemons.start();
  const { run, place } = await startInGrace(daemon, dir.path, { kill_grace: "1h" });
  expect((await cancel(daemon, run)).json.state).toBe("cancelling");
  await cancel(daemon, run);
  expect(await untilEnd(daemon, run)).toMatchObject(succeeded);
  expect(await leftIn(place)).toEqual([]);
});

test.skipIf(!hasCgroups())("what escaped from a run whose runner is killed ends with the run", async () => {
  await using dir = await tempDir();
  await using daemon = await daemons.start();
  const script = leaving([escaped], 0).replace("exit 0", "sleep 600");
  const task = await makeTask(daemon, script, { environment: { PLACE: dir.path }, kill_grace: "100ms" });
  const run = await startRun(daemon, task);
  await until("it has escaped", async () => (await leftIn(dir.path)).length === 1);
  await killRunners(daemon.dataDir);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "lost" });
  expect(await leftIn(dir.path)).toEqual([]);
});
