import { limits } from "@belfry/contract";
import { seed, tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { startDaemonProcess } from "../support/processes/daemon-process.ts";
import { expectSoundDatabase } from "../support/processes/kill-checks.ts";
import { seeded } from "../support/seeded.ts";

const kills = 12;
const tasksMax = limits.importItemsMax;

test("an import that a kill interrupts, at any moment, is complete or absent", async () => {
  console.log(`kill-import: seed ${seed}`);
  const random = seeded(seed);
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };

  const whole = await startDaemonProcess(options);
  const from = performance.now();
  expect((await whole.call("POST", "/v1/import", importBody("whole"))).status).toBe(201);
  const wholeMs = performance.now() - from;
  await whole.kill();
  expect(countOf(options.dataDir, "whole")).toEqual({ groups: 1, tasks: tasksMax, schedules: tasksMax });

  let kept = 0;
  for (let kill = 0; kill < kills; kill++) {
    const name = `import ${kill}`;
    await using daemon = await startDaemonProcess(options);
    const answer = daemon.call("POST", "/v1/import", importBody(name)).then(
      ({ status }) => status,
      () => null,
    );
    await sleep(systemClock, 1.3 * wholeMs * random());
    await daemon.kill();
    const status = await answer;
    const found = countOf(options.dataDir, name);
    const isWhole = found.tasks > 0;
    expect(found).toEqual(
      isWhole ? { groups: 1, tasks: tasksMax, schedules: tasksMax } : { groups: 0, tasks: 0, schedules: 0 },
    );
    // an acknowledged import stays
    if (status === 201) expect(isWhole).toBe(true);
    if (isWhole) kept++;
  }
  console.log(`kill-import: ${kept} of ${kills} were there as a whole`);
  expectSoundDatabase(options.dataDir);
});

function importBody(name: string): object {
  return {
    groups: [{ key: "group", name }],
    tasks: Array.from({ length: tasksMax }, (_, index) => ({
      key: `t${index}`,
      group_key: "group",
      name: `task ${index}`,
      command: { kind: "shell", script: "echo hello" },
    })),
    schedules: Array.from({ length: tasksMax }, (_, index) => ({
      key: `s${index}`,
      task_key: `t${index}`,
      kind: "cron",
      expression: "0 3 1 1 *",
    })),
  };
}

function countOf(dataDir: string, groupName: string): Readonly<Record<"groups" | "tasks" | "schedules", number>> {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"));
  const count = (sql: string): number => sqlite.prepare(sql).pluck().get(groupName) as number;
  const within = "SELECT id FROM tasks WHERE group_id IN (SELECT id FROM groups WHERE name = ?)";
  const counts = {
    groups: count("SELECT count(*) FROM groups WHERE name = ?"),
    tasks: count(`SELECT count(*) FROM (${within})`),
    schedules: count(`SELECT count(*) FROM schedules WHERE task_id IN (${within})`),
  };
  sqlite.close();
  return counts;
}
