import { tempDir, until } from "@belfry/test-kit";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { liveFolder } from "../../src/runner/places.ts";
import { createLog, systemClock } from "../../src/index.ts";
import { startDaemon } from "../support/harness.ts";
import { makeTask, runOnce, startRun, untilEnd, untilReady, untilState, waitFor } from "../support/tasks.ts";
import { killRunners, runnersOf, survivorsOf } from "../support/processes/runners.ts";

/** Another process that writes into the folder does not prevent its removal. */
function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, maxRetries: 20, retryDelay: 5 });
}

/** A task that records each start, and ends when its file appears. */
async function startNoted(daemon: Awaited<ReturnType<typeof startDaemon>>, place: string) {
  const script = `echo started >> ${join(place, "ledger")}; ${waitFor(join(place, "go"))}; exit 3`;
  const run = await startRun(daemon, await makeTask(daemon, script, { environment: { PLACE: place } }));
  await untilState(daemon, run, "running");
  // a run is running before its script has done anything
  await until("its note", async () => (await readFile(join(place, "ledger"), "utf8").catch(() => "")) === "started\n");
  return run;
}

const removals: readonly {
  readonly what: string;
  readonly remove: (dataDir: string) => Promise<void>;
  /** The path whose loss the log must report. */
  readonly loggedPath: string;
}[] = [
  { what: "attempts/", remove: (dataDir) => removeFolder(join(dataDir, "attempts")), loggedPath: "attempts" },
  { what: "attempts/live", remove: (dataDir) => removeFolder(liveFolder(dataDir)), loggedPath: "attempts" },
  { what: "runners/", remove: (dataDir) => removeFolder(join(dataDir, "runners")), loggedPath: "runners" },
  {
    what: "attempts/ and runners/",
    remove: async (dataDir) => {
      for (const name of ["attempts", "runners"]) await removeFolder(join(dataDir, name));
    },
    loggedPath: "runners",
  },
];

describe.for(removals)("when $what is removed while a task runs", ({ remove, loggedPath }) => {
  test("the task runs to its end, and others start", async () => {
    await using place = await tempDir();
    const logged: string[] = [];
    const log = createLog(systemClock, "error", [({ event, fields }) => logged.push(`${event} ${fields["path"]}`)]);
    await using daemon = await startDaemon({ log });
    const run = await startNoted(daemon, place.path);
    await remove(daemon.dataDir);
    const folder = join(daemon.dataDir, loggedPath);
    await until("the log says so", () => logged.includes(`storage.restored ${folder}`));
    expect(await runOnce(daemon, "exit 0")).toMatchObject({ state: "succeeded", attempt: 1 });
    await writeFile(join(place.path, "go"), "");
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", exit_code: 3, attempt: 1 });
    expect(await readFile(join(place.path, "ledger"), "utf8")).toBe("started\n");
  });

  test("the next daemon finds the task, and no task starts twice", async () => {
    await using place = await tempDir();
    await using dir = await tempDir("bf-");
    const first = await startDaemon({ dataDir: dir.path });
    const run = await startNoted(first, place.path);
    const [runner] = runnersOf(dir.path);
    await remove(dir.path);
    await first.stop();
    await until("the runner has its names again", () => existsSync(join(dir.path, "runners", `${runner!.id}.sock`)));
    await using next = await startDaemon({ dataDir: dir.path });
    await writeFile(join(place.path, "go"), "");
    expect(await untilEnd(next, run)).toMatchObject({ state: "failed", exit_code: 3, attempt: 1 });
    expect(await readFile(join(place.path, "ledger"), "utf8")).toBe("started\n");
  });
});

describe("when the claims are removed and the runner is killed", () => {
  test.for([true, false])(
    "the task is ended, recorded as lost, and not started again (daemon running: %s)",
    async (isLive) => {
      await using place = await tempDir();
      await using dir = await tempDir("bf-");
      const first = await startDaemon({ dataDir: dir.path });
      const run = await startNoted(first, place.path);
      if (!isLive) await first.stop();
      const doomed = killRunners(dir.path);
      await removeFolder(join(dir.path, "attempts"));
      await doomed;
      await using daemon = isLive ? first : await startDaemon({ dataDir: dir.path });
      expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "lost", attempt: 1 });
      expect(await readFile(join(place.path, "ledger"), "utf8")).toBe("started\n");
      expect(await survivorsOf(place.path)).toEqual([]);
      await untilReady(daemon, await makeTask(daemon, "exit 0"));
    },
  );
});

test("an attempts/ that is put back within a moment is used unchanged", async () => {
  await using place = await tempDir();
  await using daemon = await startDaemon();
  const run = await startNoted(daemon, place.path);
  const attempts = join(daemon.dataDir, "attempts");
  const id = await readFile(join(attempts, "id"), "utf8");
  // the daemon is in this process: it looks before or after both steps, however long they take
  renameSync(attempts, join(place.path, "aside"));
  renameSync(join(place.path, "aside"), attempts);
  await writeFile(join(place.path, "go"), "");
  expect(await untilEnd(daemon, run)).toMatchObject({ exit_code: 3 });
  expect(await readFile(join(attempts, "id"), "utf8")).toBe(id);
  await until("the claim is removed", () => readdirSync(liveFolder(daemon.dataDir)).length === 0);
});
