import { ManualClock } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { claimFolder, keptFolder, liveFolder } from "../../src/runner/places.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { finishHousekeeping } from "../support/rounds.ts";
import { listRuns, makeTask, startRun, untilEnd } from "../support/tasks.ts";

const firstHousekeepingMs = 60_000;

async function addStrayOutput(daemon: Harness): Promise<() => Promise<boolean>> {
  const folder = keptFolder(daemon.dataDir, "att_of_nothing");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "stdout"), "left by a crash");
  return async () => (await readdir(folder).catch(() => [])).length === 0;
}

test("a task that cannot be read stops neither the housekeeping of other tasks nor its later steps", async () => {
  const entries: LogEntry[] = [];
  const log = createLog({ now: () => 0 }, "error", [(entry) => void entries.push(entry)]);
  // the time of an end is from the runner's clock, which is the system's
  const clock = new ManualClock(new Date().toISOString());
  await using daemon = await startDaemon({ clock, log });
  const tasks = [];
  for (let number = 0; number < 3; number++) {
    const task = await makeTask(daemon, ":", { retention: { age: "1h" } });
    await untilEnd(daemon, await startRun(daemon, task));
    tasks.push(task);
  }
  const [bad, ...good] = tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const sqlite = new BetterSqlite(join(daemon.dataDir, "belfry.db"));
  sqlite.prepare("UPDATE tasks SET retry_json = 'torn' WHERE id = ?").run(bad.id);
  const isSwept = await addStrayOutput(daemon);
  clock.jump(2 * 3_600_000);
  await finishHousekeeping(daemon, clock, firstHousekeepingMs);
  expect(await isSwept()).toBe(true);
  for (const task of good) expect(await listRuns(daemon, `task_id=${task.id}`)).toEqual([]);
  const failures = entries.filter(({ event }) => event === "housekeeping.failed");
  expect(failures).toMatchObject([{ fields: { step: "history", task_id: bad.id } }]);
  sqlite.prepare("UPDATE tasks SET retry_json = ? WHERE id = ?").run(JSON.stringify(bad.retry), bad.id);
  sqlite.close();
});

test("foreign files, and an attempt that cannot be read, do not stop the sweep", async () => {
  const entries: LogEntry[] = [];
  const log = createLog({ now: () => 0 }, "error", [(entry) => void entries.push(entry)]);
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock, log });
  const isSwept = await addStrayOutput(daemon);
  const live = liveFolder(daemon.dataDir);
  await mkdir(live, { recursive: true });
  // the cleanup of runners after a test reads that folder as well
  await using cleaning = new AsyncDisposableStack();
  cleaning.defer(() => rm(live, { recursive: true }));
  for (const folder of [live, join(daemon.dataDir, "attempts", "kept")]) await writeFile(join(folder, ".DS_Store"), "");
  await finishHousekeeping(daemon, clock, firstHousekeepingMs);
  expect(await isSwept()).toBe(true);
  expect(entries).toEqual([]);
  const isSweptAgain = await addStrayOutput(daemon);
  // a folder in the place of a claim
  await mkdir(join(claimFolder(daemon.dataDir, "att_damaged"), "claim"), { recursive: true });
  await finishHousekeeping(daemon, clock, 60 * firstHousekeepingMs);
  expect(await isSweptAgain()).toBe(true);
  expect(entries).toMatchObject([{ event: "housekeeping.failed", fields: { step: "output" } }]);
});
