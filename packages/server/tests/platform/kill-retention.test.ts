import { seed, tempDir, until } from "@belfry/test-kit";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { startDaemon } from "../support/harness.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { spawnDaemon, startDaemonProcess } from "../support/processes/daemon-process.ts";
import { hasEveryRunEnded } from "../support/processes/kill-checks.ts";
import { seeded } from "../support/seeded.ts";
import { getRun, listRuns, makeTask, startRun } from "../support/tasks.ts";

const kills = 8;
const runBytes = 100_000_000;
const bound = 250_000_000;

/** The size of a folder; files that are removed meanwhile do not count. */
function sizeOf(folder: string): number {
  const { stdout } = spawnSync("du", ["-sb", folder], { encoding: "utf8" });
  return Number(stdout.split("\t")[0]);
}

test(
  `a task that writes 100 MB a run stays within its limit and one run, on disk too, over ${kills} kills (seed ${seed})`,
  { timeout: 1_800_000 },
  async () => {
    const random = seeded(seed);
    await using bundle = await bundleDaemon();
    await using dir = await tempDir("bk-");
    const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
    const beginning = await startDaemonProcess(options);
    const task = await makeTask(beginning, `head -c ${runBytes} /dev/zero`, {
      output: { max_bytes: 2 * runBytes },
      retention: { bytes: bound },
    });
    await beginning.kill();
    const usage = (): number => sizeOf(join(options.dataDir, "attempts", "kept"));
    let most = 0;
    for (let kill = 0; kill < kills; kill++) {
      const daemon = spawnDaemon(options);
      expect(await daemon.ready()).toBe(true);
      const run = await startRun(daemon, task);
      // some kills come while the run writes, and most while its end is recorded and others are removed
      await until("the end, or a moment before", async () => {
        const { json } = await daemon.call("GET", `/v1/runs/${run.id}`);
        return json.ended_at !== null || random() < 0.02;
      });
      await sleep(systemClock, 20 * random());
      await daemon.kill();
      const next = await startDaemonProcess(options);
      await until("the end of the run", () => hasEveryRunEnded(options.dataDir));
      const runs = await listRuns(next, `task_id=${task.id}`);
      await until("the output of deleted runs to go", () => usage() < (runs.length + 0.5) * runBytes);
      most = Math.max(most, usage());
      await next.stop();
    }
    console.log(`kill-retention: at most ${Math.round(most / 1e6)} MB on disk with a limit of ${bound / 1e6} MB`);
    expect(most).toBeLessThan(bound + runBytes);
  },
);

test("a task that writes 1 GB holds at most twice its limit on disk, at any time", async () => {
  await using daemon = await startDaemon();
  const outputBytesMax = 10 * 1024 * 1024;
  const task = await makeTask(daemon, "yes | head -c 1000000000", {
    output: { max_bytes: outputBytesMax },
    retention: { bytes: outputBytesMax },
  });
  const attempts = join(daemon.dataDir, "attempts");
  let most = 0;
  for (let number = 0; number < 2; number++) {
    const run = await startRun(daemon, task);
    await until(
      "the end of the run",
      async () => {
        most = Math.max(most, sizeOf(attempts));
        return (await getRun(daemon, run)).ended_at !== null;
      },
      300_000,
    );
    expect((await getRun(daemon, run)).output.stdout_bytes).toBe(1_000_000_000);
  }
  console.log(`kill-retention: 1 GB twice, at most ${(most / 1e6).toFixed(1)} MB on disk`);
  expect(most).toBeLessThan(2 * outputBytesMax + 100_000);
});
