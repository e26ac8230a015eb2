import { tempDir, until } from "@belfry/test-kit";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLog, systemClock } from "../../src/index.ts";
import { sleep } from "../../src/kernel/time/clock.ts";
import { isAlive } from "../../src/runner/identity.ts";
import { liveFolder } from "../../src/runner/places.ts";
import { startDaemon } from "../support/harness.ts";
import { runnersOf, survivorsOf } from "../support/processes/runners.ts";
import {
  cancel,
  type Daemon,
  getRun,
  makeTask,
  startRun,
  untilEnd,
  untilReady,
  untilState,
  waitFor,
} from "../support/tasks.ts";

/** A daemon with a place for notes, and its runner. */
async function arrange(runsAtOnceMax = 8) {
  const place = await tempDir();
  const events: string[] = [];
  const log = createLog(systemClock, "info", [({ event }) => events.push(event)]);
  const daemon = await startDaemon({ log, config: { runsAtOnceMax } });
  await writeFile(join(place.path, "ledger"), "");
  await expectOthersRun(daemon);
  // a runner that is stopped now would keep this claim too
  await until("no claim", async () => (await readdir(liveFolder(daemon.dataDir))).length === 0);
  const [runner] = runnersOf(daemon.dataDir);
  const silentPids = async (): Promise<readonly number[]> =>
    (await daemon.call("GET", "/v1/runtime-info")).json.silent_runners.map(({ pid }: { pid: number }) => pid);
  return {
    ...daemon,
    events,
    place: place.path,
    runner: runner!,
    stopRunner: (): void => void process.kill(runner!.pid, "SIGSTOP"),
    resumeRunner: (): void => void process.kill(runner!.pid, "SIGCONT"),
    /** A task that notes each start, and exits with 3 once it may. */
    makeNoted: () =>
      makeTask(daemon, `echo began >> ${place.path}/ledger; ${waitFor(`${place.path}/go`)}; exit 3`, {
        environment: { PLACE: place.path },
        kill_grace: "200ms",
      }),
    go: () => writeFile(join(place.path, "go"), ""),
    ledger: () => readFile(join(place.path, "ledger"), "utf8"),
    silentPids,
    /** Another runner, which a busy machine keeps silent, is soon listed no more. */
    untilSilent: (pids: readonly number[]) =>
      until(`silent are [${pids.join(", ")}]`, async () => String(await silentPids()) === String(pids)),
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Starts another task, and waits for its end. While no runner responds, the start is refused. */
async function expectOthersRun(daemon: Daemon): Promise<void> {
  const run = await startRun(daemon, await makeTask(daemon, "echo other"));
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 1 });
}

describe.concurrent("when the runner hangs", () => {
  test("before it reads an order, the run and others start in another runner, and nothing runs twice", async () => {
    await using daemon = await arrange(1);
    const task = await daemon.makeNoted();
    await daemon.go();
    daemon.stopRunner();
    const run = await startRun(daemon, task);
    await untilState(daemon, run, "dispatching");
    await expectOthersRun(daemon);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", exit_code: 3, attempt: 1 });
    expect(daemon.events).toContain("runner.silent");
    await daemon.untilSilent([daemon.runner.pid]);
    // this claim keeps the hanging runner from starting the run again
    await until("one claim", async () => (await readdir(liveFolder(daemon.dataDir))).length === 1);
    daemon.resumeRunner();
    await until("it has left", () => !isAlive(daemon.runner));
    await until("no claim", async () => (await readdir(liveFolder(daemon.dataDir))).length === 0);
    await daemon.untilSilent([]);
    expect(daemon.events).toContain("runner.resumed");
    expect(await daemon.ledger()).toBe("began\n");
  });

  test("before it reads an order, and is then killed, the run starts once", async () => {
    await using daemon = await arrange();
    const task = await daemon.makeNoted();
    await daemon.go();
    daemon.stopRunner();
    const run = await startRun(daemon, task);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", exit_code: 3, attempt: 1 });
    process.kill(daemon.runner.pid, "SIGKILL");
    await until("no claim", async () => (await readdir(liveFolder(daemon.dataDir))).length === 0);
    expect(await daemon.ledger()).toBe("began\n");
  });

  test("before it reads an order that is then cancelled, the run never starts", async () => {
    await using daemon = await arrange();
    const task = await daemon.makeNoted();
    daemon.stopRunner();
    const run = await startRun(daemon, task);
    await untilState(daemon, run, "dispatching");
    await cancel(daemon, run);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", pid: null });
    daemon.resumeRunner();
    await until("it has left", () => !isAlive(daemon.runner));
    expect(await daemon.ledger()).toBe("");
  });

  test("while a task runs, others start in another runner, and the end is recorded once it resumes", async () => {
    await using daemon = await arrange();
    const task = await daemon.makeNoted();
    const run = await startRun(daemon, task);
    await untilState(daemon, run, "running");
    daemon.stopRunner();
    await expectOthersRun(daemon);
    await daemon.go();
    expect(await getRun(daemon, run)).toMatchObject({ state: "running" });
    daemon.resumeRunner();
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", exit_code: 3, attempt: 1 });
    await until("it has left", () => !isAlive(daemon.runner));
    expect(await daemon.ledger()).toBe("began\n");
  });

  test("while a task runs, and is then killed, the run is lost and leaves no process", async () => {
    await using daemon = await arrange();
    const run = await startRun(daemon, await daemon.makeNoted());
    await untilState(daemon, run, "running");
    // a run is running before its script has done anything
    await until("its note", async () => (await daemon.ledger()) === "began\n");
    daemon.stopRunner();
    await expectOthersRun(daemon);
    process.kill(daemon.runner.pid, "SIGKILL");
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "lost" });
    expect(await survivorsOf(`PLACE=${daemon.place}`)).toEqual([]);
    expect(await daemon.ledger()).toBe("began\n");
  });

  test.for([0, 1, 2, 4, 8, 16, 32])(
    "%i ms after the first of several orders, each run runs once, and no end is lost",
    async (delayMs) => {
      await using daemon = await arrange();
      const note = (number: number): string => `echo ${number} >> ${daemon.place}/ledger; exit ${number}`;
      const tasks = [];
      for (let number = 1; number <= 6; number++) tasks.push(await makeTask(daemon, note(number)));
      const starting = Promise.all(tasks.map((task) => startRun(daemon, task)));
      await sleep(systemClock, delayMs);
      daemon.stopRunner();
      const runs = await starting;
      await expectOthersRun(daemon);
      daemon.resumeRunner();
      for (const [index, run] of runs.entries())
        expect(await untilEnd(daemon, run)).toMatchObject({ exit_code: index + 1, attempt: 1 });
      await until("it has left", () => !isAlive(daemon.runner));
      expect((await daemon.ledger()).trimEnd().split("\n").sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
    },
  );

  test("before it reads a cancel, the daemon notices, and the cancel counts later", async () => {
    await using daemon = await arrange();
    const run = await startRun(daemon, await daemon.makeNoted());
    await untilState(daemon, run, "running");
    daemon.stopRunner();
    await cancel(daemon, run);
    await until("noticed", async () => (await daemon.silentPids()).length > 0);
    await untilReady(daemon, await makeTask(daemon, ":"));
    daemon.resumeRunner();
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", attempt: 1 });
    await until("it has left", () => !isAlive(daemon.runner));
    expect(await survivorsOf(`PLACE=${daemon.place}`)).toEqual([]);
  });
});
