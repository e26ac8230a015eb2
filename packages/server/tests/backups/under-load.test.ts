import { tempDir } from "@belfry/test-kit";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkBackup } from "../../src/features/backups/index.ts";
import { checkDatabase } from "../../src/kernel/storage/database-check.ts";
import { backUp, restore } from "../support/backups.ts";
import { startDaemon } from "../support/harness.ts";
import { listRuns, made2xx, makeTask, runOnce, untilReady } from "../support/tasks.ts";

const backups = 20;

test("each of 20 backups under load is sound, runs nothing until it is released, and then nothing twice", async () => {
  await using place = await tempDir("bf-");
  const marks = join(place.path, "marks");
  await using daemon = await startDaemon({ config: { runsAtOnceMax: 16 } });
  const task = await makeTask(daemon, `echo $BELFRY_RUN_ID >> '${marks}'`, {
    concurrency: { limit: 16 },
    on_lost: "retry",
    retention: { runs: 10_000 },
  });
  await untilReady(daemon, task);
  let requested = 0;
  let isOver = false;
  const load = (async () => {
    while (!isOver) {
      await Promise.all(Array.from({ length: 5 }, () => daemon.call("POST", `/v1/tasks/${task.id}/run`)));
      requested += 5;
      await setTimeout(40);
    }
  })();
  const files: string[] = [];
  const begunAt = performance.now();
  for (let count = 0; count < backups; count++) {
    files.push(join(place.path, `${count}.tar`));
    await backUp(daemon, files.at(-1)!);
  }
  const seconds = (performance.now() - begunAt) / 1_000;
  isOver = true;
  await load;
  process.stderr.write(
    `${backups} backups in ${seconds.toFixed(1)} s, beside ${(requested / seconds).toFixed(0)} runs/s\n`,
  );

  for (const [index, file] of files.entries()) {
    expect(await checkBackup(file, null)).toMatchObject({ key_checked: true });
    const dataDir = join(place.path, `restored ${index}`);
    await restore(file, dataDir);
    expect([...checkDatabase(join(dataDir, "belfry.db"))].flatMap(({ problems }) => problems)).toEqual([]);
    await using second = await startDaemon({ dataDir });
    const held = await listRuns(second, `task_id=${task.id}&limit=1000`);
    expect(held.filter(({ ended_at }) => ended_at === null)).toEqual([]);
    expect((await second.call("GET", "/v1/holds")).json.holds).toMatchObject([{ cause: "restored" }]);
    await made2xx(second.call("POST", "/v1/release", {}));
    expect((await runOnce(second, ":")).outcome).toBe("success");
    expect(await listRuns(second, `task_id=${task.id}&limit=1000`)).toHaveLength(held.length);
  }
  const ids = (await readFile(marks, "utf8")).trim().split("\n");
  expect(new Set(ids).size).toBe(ids.length);
}, 300_000);
