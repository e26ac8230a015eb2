import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { createLog, systemClock } from "../../src/index.ts";
import { Claims } from "../../src/runner/claims/claims.ts";
import { identifyRunner } from "../../src/runner/identity.ts";
import { claimFolder, liveFolder, runnerPlaces } from "../../src/runner/places.ts";
import { query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { startDaemon } from "../support/harness.ts";
import { killRunners, runnersOf, someClaimHasEnd, survivorsOf } from "../support/processes/runners.ts";
import { simulateRunners, succeeded } from "../support/simulated-runners.ts";
import { getRun, makeTask, runOnce, startRun, untilEnd, untilState } from "../support/tasks.ts";

/** Every way in which a claim may be found after a power failure or a fault of the disk. */
const damages: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  empty: (folder) => truncate(join(folder, "claim"), 0),
  cut: (folder) => truncate(join(folder, "claim"), 40),
  zeroes: (folder) => writeFile(join(folder, "claim"), Buffer.alloc(300)),
  garbage: (folder) => writeFile(join(folder, "claim"), Buffer.from([0xff, 0x00, 0x7b, 0x0a, 0x22])),
  "another pid": async (folder) => {
    const text = await readFile(join(folder, "claim"), "utf8");
    await writeFile(join(folder, "claim"), text.replace(/"pid":\d+/, `"pid":${process.pid}`));
  },
  "no owner": (folder) => writeFile(join(folder, "claim"), '{"graceMs":0}\n'),
  missing: (folder) => rm(join(folder, "claim")),
  directory: async (folder) => {
    await rm(join(folder, "claim"));
    await mkdir(join(folder, "claim"));
  },
  "dangling link": async (folder) => {
    await rm(join(folder, "claim"));
    await symlink("nowhere", join(folder, "claim"));
  },
  "file in place of the folder": async (folder) => {
    await rename(folder, `${folder}.aside`);
    await rm(`${folder}.aside`, { recursive: true });
    await writeFile(folder, "");
  },
  "another attempt's": async (folder) => {
    const text = await readFile(join(folder, "claim"), "utf8");
    await writeFile(join(folder, "claim"), text.replaceAll(/(?<="attempt":")att_\w+/g, "att_before"));
  },
  "damaged end": (folder) => appendFile(join(folder, "claim"), `{"attempt":"${basename(folder)}","end":{"cause":`),
  "damaged end of a former version": (folder) => writeFile(join(folder, "end"), '{"cause":'),
};

test("runs whose claims cannot be read end as lost within seconds, with their processes", async () => {
  await using place = await tempDir();
  await using dir = await tempDir("bf-");
  const kinds = Object.values(damages);
  const first = await startDaemon({ dataDir: dir.path, config: { runsAtOnceMax: kinds.length } });
  const task = await makeTask(first, `echo began >> "$PLACE/ledger"; while :; do sleep 0.1; done`, {
    environment: { PLACE: place.path },
    concurrency: { limit: kinds.length },
    kill_grace: "200ms",
  });
  const runs = [];
  for (const _ of kinds) runs.push(await startRun(first, task));
  for (const run of runs) await untilState(first, run, "running");
  const countLines = async (): Promise<number> =>
    (await readFile(join(place.path, "ledger"), "utf8").catch(() => "")).split("\n").length - 1;
  // a run is running before its script has done anything
  await until("their notes", async () => (await countLines()) === kinds.length);
  await first.stop();
  await killRunners(dir.path);
  const attempts = await readdir(liveFolder(dir.path));
  for (const [index, attempt] of attempts.entries()) await kinds[index]!(claimFolder(dir.path, attempt));

  const warnings: string[] = [];
  const log = createLog(systemClock, "warn", [({ event }) => warnings.push(event)]);
  await using second = await startDaemon({ dataDir: dir.path, log });
  for (const run of runs) expect(await untilEnd(second, run)).toMatchObject({ state: "failed", reason: "lost" });
  expect(warnings.filter((event) => event === "attempt.claim_unreadable").length).toBe(kinds.length - 2);
  expect(await survivorsOf(`PLACE=${place.path}`)).toEqual([]);
  expect(await countLines()).toBe(kinds.length);
  expect(await runOnce(second, ":")).toMatchObject({ state: "succeeded" });
});

test("a refused order is repeated only after a pause, and the run ends as lost if nobody owns it", async () => {
  const runners = simulateRunners();
  await using daemon = await openTestApplication({ canRun: true, openRunners: runners.open });
  const run = await startRun(daemon, await makeTask(daemon, "exit 0"));
  await daemon.rounds.engine.idle();
  const { attempt } = runners.listStarts()[0]!;
  await mkdir(claimFolder(daemon.dataDir, attempt), { recursive: true });
  runners.report({ is: "refused", attempt, why: "claimed" });
  expect(await untilEnd(daemon, run)).toMatchObject({
    state: "failed",
    reason: "lost",
    reason_text: "was lost because its runner process died; the record of its start cannot be read",
    attempt: 1,
  });
  expect(runners.listStarts()).toHaveLength(1);
});

test("an attempt that a live runner has claimed and has not reported yet stays active", async () => {
  const runners = simulateRunners();
  await using daemon = await openTestApplication({ canRun: true, openRunners: runners.open });
  const run = await startRun(daemon, await makeTask(daemon, "exit 0"));
  await daemon.rounds.engine.idle();
  const { attempt } = runners.listStarts()[0]!;
  // a process that lives, in place of a runner
  const child = spawn("sleep", ["3600"]);
  using _ended = { [Symbol.dispose]: () => void child.kill("SIGKILL") };
  const runner = identifyRunner("r1", child.pid!);
  await mkdir(runnerPlaces(daemon.dataDir, runner.id).pipes, { recursive: true });
  new Claims(daemon.dataDir, runner).make(attempt, { mark: null, graceMs: 0 })!.close();
  runners.report({ is: "refused", attempt, why: "claimed" });
  for (let time = 0; time < 2; time++) await runners.nextConnect();
  expect(await getRun(daemon, run)).toMatchObject({ state: "dispatching" });
  expect(runners.listStarts()).toHaveLength(1);
  runners.report({ is: "ended", attempt, end: succeeded(Date.now()) });
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 1 });
});

test("a live runner whose end was read from its claim is asked again, because it still keeps the attempt", async () => {
  const runners = simulateRunners();
  await using daemon = await openTestApplication({ canRun: true, openRunners: runners.open });
  const run = await startRun(daemon, await makeTask(daemon, "exit 0"));
  await daemon.rounds.engine.idle();
  const { attempt } = runners.listStarts()[0]!;
  // a process that lives, in place of a runner
  const child = spawn("sleep", ["3600"]);
  using _ended = { [Symbol.dispose]: () => void child.kill("SIGKILL") };
  const runner = identifyRunner("r1", child.pid!);
  await mkdir(runnerPlaces(daemon.dataDir, runner.id).pipes, { recursive: true });
  const claim = new Claims(daemon.dataDir, runner).make(attempt, { mark: null, graceMs: 0 })!;
  await claim.add({ end: succeeded(Date.now()) });
  const isLive = () => query(daemon, "SELECT 1 FROM runs WHERE id = ? AND ended_at IS NULL", run.id).length > 0;
  const askedAgain = (async () => {
    do await runners.nextSync();
    while (isLive());
  })();
  runners.report({ is: "refused", attempt, why: "claimed" });
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 1 });
  await askedAgain;
});

test("an end that a runner wrote before it hung is recorded without it", async () => {
  await using place = await tempDir();
  await using dir = await tempDir("bf-");
  const first = await startDaemon({ dataDir: dir.path });
  const run = await startRun(
    first,
    await makeTask(first, `until [ -e '${place.path}/go' ]; do sleep 0.02; done; echo done; exit 9`),
  );
  await untilState(first, run, "running");
  await first.stop();
  await writeFile(join(place.path, "go"), "");
  await until("the written end", () => someClaimHasEnd(dir.path));
  const [hanging] = runnersOf(dir.path);
  process.kill(hanging!.pid, "SIGSTOP");
  await using second = await startDaemon({ dataDir: dir.path });
  expect(await untilEnd(second, run)).toMatchObject({ state: "failed", exit_code: 9 });
  process.kill(hanging!.pid, "SIGCONT");
});
