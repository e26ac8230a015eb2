import { tempDir, until } from "@belfry/test-kit";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../src/runner/identity.ts";
import { readClaim } from "../../src/runner/claims/claim.ts";
import { claimFolder, liveFolder } from "../../src/runner/places.ts";
import { type Json, startDaemon } from "../support/harness.ts";
import {
  cancel,
  type Daemon,
  getRun,
  makeTask,
  outputOf,
  runOnce,
  startRun,
  untilEnd,
  untilReady,
  untilState,
  waitFor,
} from "../support/tasks.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { spawnDaemon, startDaemonProcess } from "../support/processes/daemon-process.ts";
import {
  killRunners,
  killSurvivors,
  runnersOf,
  signalRunners,
  someClaimHasEnd,
  survivorsOf,
} from "../support/processes/runners.ts";

/** A task that forks twice into its own session, ignores TERM, and does not end. */
const stubborn = `
(setsid sh -c 'trap "" TERM HUP INT; echo child >> "$PLACE/ledger"; while :; do sleep 0.1; done' > /dev/null 2>&1 &)
trap '' TERM
until grep -q child "$PLACE/ledger"; do sleep 0.02; done
echo main >> "$PLACE/ledger"
echo begun
while :; do sleep 0.1; done`;

async function makeStubborn(daemon: Daemon, place: string, more: object = {}) {
  await writeFile(join(place, "ledger"), "");
  return makeTask(daemon, stubborn, { environment: { PLACE: place }, kill_grace: "200ms", ...more });
}

/** Runs the task, and waits until both its processes exist. */
async function startStubborn(daemon: Daemon, place: string, more: object = {}) {
  const run = await startRun(daemon, await makeStubborn(daemon, place, more));
  await until("the task and its child", async () => (await readLedger(place)).includes("main"));
  await untilState(daemon, run, "running");
  return run;
}

/** Starts runs that ignore TERM, with a grace of an hour. The ledger has one line for each run that has begun. */
async function startUnending(daemon: Daemon, place: string, count: number): Promise<readonly Json[]> {
  await writeFile(join(place, "ledger"), "");
  // the output's pipes break with the runner, and a message of the shell about a terminated sleep would then end the
  // shell
  const script = `exec > /dev/null 2>&1; trap 'echo asked >> "$PLACE/ledger"' TERM
    echo begun >> "$PLACE/ledger"; while :; do sleep 0.1; done`;
  const task = await makeTask(daemon, script, {
    environment: { PLACE: place },
    kill_grace: "1h",
    concurrency: { limit: count },
  });
  const runs = [];
  for (let index = 0; index < count; index++) runs.push(await startRun(daemon, task));
  for (const run of runs) await untilState(daemon, run, "running");
  await until("begun", async () => (await readLedger(place)).length === count);
  return runs;
}

async function readLedger(place: string): Promise<readonly string[]> {
  return (await readFile(join(place, "ledger"), "utf8")).split("\n").filter((line) => line !== "");
}

async function expectNothingLeft(place: string): Promise<void> {
  expect(await survivorsOf(place)).toEqual([]);
  expect([...(await readLedger(place))].sort()).toEqual(["child", "main"]);
}

describe("when the runner is killed", () => {
  test("its attempt is lost, no process of the attempt is left, and later runs succeed, repeatedly", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    for (let time = 1; time <= 3; time++) {
      const run = await startStubborn(daemon, place.path);
      await until("its output", async () => (await outputOf(daemon, run)) === "begun\n");
      await killRunners(daemon.dataDir);
      expect(await untilEnd(daemon, run)).toMatchObject({
        state: "failed",
        outcome: "failure",
        reason: "lost",
        exit_code: null,
        attempt: 1,
      });
      expect(await outputOf(daemon, run)).toBe("begun\n");
      await expectNothingLeft(place.path);
      const later = await startRun(daemon, await untilReady(daemon, await makeTask(daemon, "echo later")));
      expect(await untilEnd(daemon, later)).toMatchObject({ state: "succeeded" });
      await until("no claim", async () => (await readdir(liveFolder(daemon.dataDir))).length === 0);
    }
  });

  test("a task that had ended before keeps the result its runner wrote", async () => {
    await using place = await tempDir();
    await using bundle = await bundleDaemon();
    const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
    const first = await startDaemonProcess(options);
    const go = join(place.path, "go");
    const run = await startRun(first, await makeTask(first, `${waitFor(go)}; echo done; exit 9`));
    await untilState(first, run, "running");
    await first.kill();
    await writeFile(go, "");
    await until("the written end", () => someClaimHasEnd(options.dataDir));
    await killRunners(options.dataDir);
    await using second = await startDaemonProcess(options);
    expect(await untilEnd(second, run)).toMatchObject({ state: "failed", reason: "exit_code", exit_code: 9 });
    expect(await outputOf(second, run)).toBe("done\n");
  });

  test("together with the daemon, the next daemon ends the remaining processes and runs nothing twice", async () => {
    await using place = await tempDir();
    await using bundle = await bundleDaemon();
    const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
    const first = await startDaemonProcess(options);
    const run = await startStubborn(first, place.path);
    const runners = runnersOf(options.dataDir);
    process.kill(first.pid, "SIGKILL");
    for (const { pid } of runners) process.kill(pid, "SIGKILL");
    await first.kill();
    expect((await survivorsOf(`PLACE=${place.path}`)).length).toBeGreaterThan(0);
    await using second = await startDaemonProcess(options);
    expect(await untilEnd(second, run)).toMatchObject({ state: "failed", reason: "lost" });
    await expectNothingLeft(place.path);
    expect(await runOnce(second, "echo later")).toMatchObject({ state: "succeeded" });
  });

  test("between an order and its claim, the run starts once, with the next runner", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const task = await untilReady(daemon, await makeTask(daemon, `echo once >> '${place.path}/ledger'`));
    signalRunners(daemon.dataDir, "SIGSTOP");
    const run = await startRun(daemon, task);
    await untilState(daemon, run, "dispatching");
    expect(await readdir(liveFolder(daemon.dataDir))).toEqual([]);
    await killRunners(daemon.dataDir);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 1 });
    expect(await readFile(join(place.path, "ledger"), "utf8")).toBe("once\n");
  });

  test("while a run is being cancelled, the run is cancelled", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const run = await startStubborn(daemon, place.path, { kill_grace: "5s" });
    await cancel(daemon, run);
    await untilCause(daemon.dataDir, "cancelled");
    await killRunners(daemon.dataDir);
    // processes that a dead runner left have a grace of their own
    expect(await untilEnd(daemon, run)).toMatchObject({
      state: "cancelled",
      outcome: null,
      reason: "cancelled",
    });
    await expectNothingLeft(place.path);
  });

  test("before it received an acknowledged cancel, the run is cancelled", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const run = await startStubborn(daemon, place.path);
    signalRunners(daemon.dataDir, "SIGSTOP");
    expect((await cancel(daemon, run)).json.state).toBe("cancelling");
    await killRunners(daemon.dataDir);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", reason: "cancelled" });
    await expectNothingLeft(place.path);
  });

  test("before it has begun a run whose cancel was acknowledged, the run never starts", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const task = await untilReady(daemon, await makeStubborn(daemon, place.path));
    signalRunners(daemon.dataDir, "SIGSTOP");
    const run = await startRun(daemon, task);
    await untilState(daemon, run, "dispatching");
    await cancel(daemon, run);
    await killRunners(daemon.dataDir);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", reason: "cancelled", pid: null });
    expect(await readLedger(place.path)).toEqual([]);
  });

  test("while a run is being stopped at its time limit, it has timed out", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const run = await startStubborn(daemon, place.path, { timeout: "15s", kill_grace: "10s" });
    await untilCause(daemon.dataDir, "timeout");
    await killRunners(daemon.dataDir);
    expect(await untilEnd(daemon, run)).toMatchObject({
      state: "failed",
      outcome: "failure",
      reason: "timeout",
    });
    await expectNothingLeft(place.path);
  });

  test("an attempt whose leftover processes use their grace does not block another attempt", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const stubbornRun = await startStubborn(daemon, place.path, { kill_grace: "1h" });
    await killRunners(daemon.dataDir);
    const quick = await makeTask(daemon, "echo quick");
    // a started run shows that the next runner is connected: the task's readiness may still come from the dead one
    const first = await until("a run to be taken", async () => {
      const { status, json } = await daemon.call("POST", `/v1/tasks/${quick.id}/run`, {});
      return status === 202 ? json : null;
    });
    expect(await untilEnd(daemon, first)).toMatchObject({ state: "succeeded" });
    signalRunners(daemon.dataDir, "SIGSTOP");
    const run = await startRun(daemon, quick);
    await untilState(daemon, run, "dispatching");
    await killRunners(daemon.dataDir);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded" });
    expect((await getRun(daemon, stubbornRun)).state).toBe("running");
    await killSurvivors(`PLACE=${place.path}`);
    expect(await untilEnd(daemon, stubbornRun)).toMatchObject({ state: "failed", reason: "lost" });
  });

  test("a second cancel ends the remaining processes of a run immediately, whatever the grace", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const [run] = await startUnending(daemon, place.path, 1);
    await killRunners(daemon.dataDir);
    await until("asked to end", async () => (await readLedger(place.path)).includes("asked"));
    expect((await cancel(daemon, run)).json.state).toBe("cancelling");
    expect((await survivorsOf(`PLACE=${place.path}`)).length).toBeGreaterThan(0);
    expect((await getRun(daemon, run)).state).toBe("cancelling");
    await cancel(daemon, run);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", reason: "cancelled" });
    expect(await survivorsOf(`PLACE=${place.path}`)).toEqual([]);
  });

  test("a second cancel counts even while the runner is dying", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon({ config: { runsAtOnceMax: 10 } });
    const runs = await startUnending(daemon, place.path, 10);
    for (const run of runs) expect((await cancel(daemon, run)).json.state).toBe("cancelling");
    signalRunners(daemon.dataDir, "SIGKILL");
    await Promise.all(runs.map((run) => cancel(daemon, run)));
    for (const run of runs) expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled" });
    expect(await survivorsOf(`PLACE=${place.path}`)).toEqual([]);
  });
});

test("a runner that hangs blocks neither a daemon's start nor other tasks, and its later reports count", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
  const first = await startDaemonProcess(options);
  const task = await makeTask(first, `until [ -e '${place.path}/go' ]; do sleep 0.02; done; echo went on`);
  const run = await startRun(first, task);
  await untilState(first, run, "running");
  await first.stop();
  const [hanging] = runnersOf(options.dataDir);
  process.kill(hanging!.pid, "SIGSTOP");
  await using second = spawnDaemon(options);
  expect(await second.ready()).toBe(true);
  expect(await runOnce(second, "echo other")).toMatchObject({ state: "succeeded" });
  expect((await getRun(second, run)).state).toBe("running");
  process.kill(hanging!.pid, "SIGCONT");
  await writeFile(join(place.path, "go"), "");
  expect(await untilEnd(second, run)).toMatchObject({ state: "succeeded" });
  expect(await outputOf(second, run)).toBe("went on\n");
});

test("an order that a hanging runner may still read is carried out once, by another runner, over two restarts", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
  const ledger = join(place.path, "ledger");
  await writeFile(ledger, "");
  const first = await startDaemonProcess(options);
  const task = await makeTask(first, `echo began >> ${ledger}`);
  await runOnce(first, ":");
  const [hanging] = runnersOf(options.dataDir);
  process.kill(hanging!.pid, "SIGSTOP");
  const run = await startRun(first, task);
  await untilState(first, run, "dispatching");
  await first.stop();
  await using second = await startDaemonProcess(options);
  expect(await runOnce(second, "echo other")).toMatchObject({ state: "succeeded" });
  expect(await untilEnd(second, run)).toMatchObject({ state: "succeeded", attempt: 1 });
  await second.kill();
  for (const { id, pid } of runnersOf(options.dataDir)) if (id !== hanging!.id) process.kill(pid, "SIGKILL");
  await using third = await startDaemonProcess(options);
  process.kill(hanging!.pid, "SIGCONT");
  await until("the hanging runner has left", () => !isAlive(hanging!));
  expect(await getRun(third, run)).toMatchObject({ state: "succeeded", attempt: 1 });
  expect(await readFile(ledger, "utf8")).toBe("began\n");
});

describe("a task that forks twice into its own session and ignores TERM", () => {
  test("leaves no process when it is cancelled", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const run = await startStubborn(daemon, place.path);
    await cancel(daemon, run);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", signal: "SIGKILL" });
    await expectNothingLeft(place.path);
  });

  test("leaves no process when it times out", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const run = await startRun(daemon, await makeStubborn(daemon, place.path, { timeout: "20s" }));
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "timeout", signal: "SIGKILL" });
    await expectNothingLeft(place.path);
  });
});

/** Waits until the runner has recorded why it ends the only attempt. */
function untilCause(dataDir: string, cause: string): Promise<true> {
  return until(`the claim's cause ${cause}`, async () => {
    const [attempt = ""] = await readdir(liveFolder(dataDir));
    return (await readClaim(claimFolder(dataDir, attempt)))?.cause === cause ? true : null;
  });
}
