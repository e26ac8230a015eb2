import { seed, tempDir, until } from "@belfry/test-kit";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkBackup } from "../../src/features/backups/index.ts";
import { checkDatabase } from "../../src/kernel/storage/database-check.ts";
import { backUp, restore } from "../support/backups.ts";
import { link } from "../support/chains.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { seeded } from "../support/seeded.ts";
import { listRuns, made2xx, makeTask, runOnce, startRun, untilEnd, untilReady } from "../support/tasks.ts";

const backups = 20;
/** Each requested run starts another one by its chain. */
const requestsPerSecond = 50;
/** Few enough that they soon end on a slow machine, and that no queue fills: a chain skips a run without a place. */
const unfinishedMax = 32;
/** More than are requested during one backup, except on a slow machine: there each run would make the next backup slower. */
const requestsPerBackupMax = 250;
/** Of each line in the ledger. */
const lineBytes = `work ${"run_".padEnd(24)}\n`.length;
const random = seeded(seed);

test(
  `each of ${backups} backups under load is sound, runs nothing until it is released, and then nothing twice`,
  async () => {
    await using place = await tempDir("bf-");
    const ledger = join(place.path, "ledger");
    /** The lines that the tasks themselves wrote. */
    const lines = (): readonly string[] => (existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : []);
    const files: string[] = [];
    let work: { readonly id: string };
    let next: { readonly id: string };
    {
      await using daemon = await startDaemon({ config: { runsAtOnceMax: 16 } });
      const more = { concurrency: { limit: 16 }, on_lost: "retry", retention: { runs: 10_000 } };
      work = await makeTask(daemon, `echo work $BELFRY_RUN_ID >> '${ledger}'`, more);
      next = await makeTask(daemon, `echo next $BELFRY_SOURCE_RUN_ID >> '${ledger}'`, more);
      await link(daemon, work, next);
      await untilReady(daemon, work);
      const countLines = () => (existsSync(ledger) ? statSync(ledger).size / lineBytes : 0);
      const countAllowed = () => (files.length + 1) * requestsPerBackupMax;
      await using load = startLoad(daemon, work, { countLines, countAllowed });
      for (let count = 0; count < backups; count++) {
        await setTimeout(random() * 300);
        files.push(join(place.path, `${count}.tar`));
        await backUp(daemon, files.at(-1)!, { output: random() < 0.5 });
      }
      const { requested, seconds } = await load.stop();
      await until("the end of all runs", async () => (await listUnfinished(daemon)).length === 0, 600_000);
      process.stderr.write(
        `${backups} backups in ${seconds.toFixed(1)} s, beside ${((2 * requested) / seconds).toFixed(0)} runs/s (seed ${seed})\n`,
      );
      expect(await listRuns(daemon, "state=skipped")).toEqual([]);
      expect(lines()).toHaveLength(2 * requested);
    }

    for (const [index, file] of files.entries()) {
      expect(await checkBackup({ file, passphrase: null })).toMatchObject({ key_checked: true });
      const dataDir = join(place.path, `restored ${index}`);
      await restore(file, dataDir);
      expect([...checkDatabase(join(dataDir, "belfry.db"))].flatMap(({ problems }) => problems)).toEqual([]);
      const before = lines();
      await using daemon = await startDaemon({ dataDir });
      expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([{ cause: "restored" }]);
      expect(await listUnfinished(daemon)).toEqual([]);
      expect((await daemon.call("POST", `/v1/tasks/${work.id}/run`)).status).toBe(409);
      expect(lines()).toEqual(before);
      await made2xx(daemon.call("POST", "/v1/release", { cause: "restored" }));
      await untilReady(daemon, work);
      expect((await runOnce(daemon, ":")).outcome).toBe("success");
      expect(lines()).toEqual(before);
      // only a run that is requested now is in the ledger
      const run = await untilEnd(daemon, await startRun(daemon, work));
      await until("its chain", () => lines().length === before.length + 2);
      expect(lines().slice(before.length)).toEqual([`work ${run.id}`, `next ${run.id}`]);
    }
    expect(new Set(lines()).size).toBe(lines().length);
  },
  60_000 + backups * 90_000,
);

/** One question: between a list of one state and the next, an end may start a run in a state that was read already. */
function listUnfinished(daemon: Harness): Promise<readonly unknown[]> {
  return listRuns(daemon, "ended=false");
}

/** Requests runs at the rate, or as many as the machine takes. Each adds two lines. */
function startLoad(
  daemon: Harness,
  task: { readonly id: string },
  { countLines, countAllowed }: { readonly countLines: () => number; readonly countAllowed: () => number },
) {
  const begunAt = performance.now();
  let requested = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - begunAt) / 1_000) * requestsPerSecond) - requested;
      const unfinished = requested - Math.floor(countLines() / 2);
      const allowed = countAllowed() - requested;
      const count = Math.max(0, Math.min(due, requestsPerSecond, unfinishedMax - unfinished, allowed));
      await Promise.all(Array.from({ length: count }, () => startRun(daemon, task)));
      requested += count;
      await setTimeout(20);
    }
  })();
  const stop = async (): Promise<{ readonly requested: number; readonly seconds: number }> => {
    isOver = true;
    await loop;
    return { requested, seconds: (performance.now() - begunAt) / 1_000 };
  };
  return { stop, [Symbol.asyncDispose]: async (): Promise<void> => void (await stop()) };
}
