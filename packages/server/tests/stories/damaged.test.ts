import { ManualClock, tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/kernel/time/clock.ts";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { assign, listDeliveries, makeChannel } from "../support/channels.ts";
import { startReceiver } from "../support/receiver.ts";
import { getRun, makeTask, startRun, untilEnd } from "../support/tasks.ts";

/** Changes a row as a bad sector or another program would: no call can make this change. */
function damage(dataDir: string, sql: string, ...values: readonly unknown[]): void {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"));
  sqlite.prepare(sql).run(...values);
  sqlite.close();
}

test("a task whose row cannot be read does not block others, and its runs start once it is repaired", async () => {
  const clock = new ManualClock();
  await using dir = await tempDir();
  await using daemon = await startDaemon({ clock, dataDir: join(dir.path, "data") });
  const scheduled_for = new Date(clock.now() + 60_000).toISOString();
  const [broken, sound] = [await makeTask(daemon, ":"), await makeTask(daemon, ":")];
  const waiting = await startRun(daemon, broken, { scheduled_for });
  const others = [await startRun(daemon, sound, { scheduled_for })];
  damage(daemon.dataDir, "UPDATE tasks SET labels_json = '{' WHERE id = ?", broken.id);
  await clock.advance(60_000);
  others.push(await startRun(daemon, sound));
  for (const run of others) expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded" });
  expect((await getRun(daemon, waiting)).state).toBe("queued");
  damage(daemon.dataDir, "UPDATE tasks SET labels_json = '{}' WHERE id = ?", broken.id);
  await startRun(daemon, sound);
  expect(await untilEnd(daemon, waiting)).toMatchObject({ state: "succeeded" });
});

test("a channel whose secrets cannot be opened prevents no run's end and no other channel's delivery", async () => {
  await using receiver = await startReceiver();
  await using daemon = await startDaemon();
  const task = await makeTask(daemon, ":");
  const [broken, sound] = [await makeChannel(daemon, receiver.url), await makeChannel(daemon, receiver.url)];
  await assign(daemon, `tasks/${task.id}`, [
    [broken, true, true],
    [sound, true, true],
  ]);
  damage(daemon.dataDir, "UPDATE notification_channels SET endpoint_sealed = x'00' WHERE id = ?", broken.id);
  expect(await untilEnd(daemon, await startRun(daemon, task))).toMatchObject({ state: "succeeded" });
  expect(await listDeliveries(daemon)).toMatchObject([{ channel_id: sound.id }]);
});

test("a failed read of the time of the next start does not end the daemon", async () => {
  const logged: LogEntry[] = [];
  const log = createLog(systemClock, "error", [(entry) => void logged.push(entry)]);
  await using daemon = await startDaemon({ log });
  const task = await makeTask(daemon, ":");
  damage(daemon.dataDir, "ALTER TABLE runs RENAME COLUMN not_before TO lost");
  expect((await daemon.call("PATCH", `/v1/tasks/${task.id}`, { description: "wakes the engine" })).status).toBe(200);
  await untilRound(
    daemon,
    "the round and the look",
    () => logged.filter(({ event }) => event === "engine.round_failed").length >= 2,
  );
  damage(daemon.dataDir, "ALTER TABLE runs RENAME COLUMN lost TO not_before");
  expect(await untilEnd(daemon, await startRun(daemon, task))).toMatchObject({ state: "succeeded" });
});
