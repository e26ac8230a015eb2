import { tempDir, until } from "@belfry/test-kit";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { type DaemonProcess, startDaemonProcess } from "../support/processes/daemon-process.ts";
import { killAtEveryCommit } from "../support/processes/kill-at-every-commit.ts";
import { hasEveryRunEnded } from "../support/processes/kill-checks.ts";
import { listRuns, makeTask, startRun, untilState } from "../support/tasks.ts";

/**
 * Notes its start, and whether another run's processes are still there, which hold the lock. It does not end before the
 * run that replaces it is asked for.
 */
const script = `
exec 9>>"$PLACE/lock"
flock -n 9 || echo overlap >> "$PLACE/ledger"
echo "$BELFRY_RUN_ID" >> "$PLACE/ledger"
until [ -e "$PLACE/asked" ]; do sleep 0.02; done
sleep 0.3`;

test(
  "a daemon that is killed before or after each of its commits replaces a run once: no two run together, and the newest one runs",
  { timeout: 1_800_000 },
  async () => {
    await using bundle = await bundleDaemon();
    await using dir = await tempDir("bk-");
    const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
    await writeFile(join(dir.path, "ledger"), "");
    const beginning = await startDaemonProcess(options);
    const task = await makeTask(beginning, script, {
      environment: { PLACE: dir.path },
      kill_grace: "0s",
      concurrency: { on_conflict: "replace" },
    });
    await beginning.kill();

    const kills = await killAtEveryCommit(options, (daemon) => livesThrough(daemon, join(dir.path, "asked"), task.id));

    await writeFile(join(dir.path, "asked"), "");
    await using last = await startDaemonProcess(options);
    await until("the end of every run", () => hasEveryRunEnded(options.dataDir));
    const runs = await listRuns(last, `task_id=${task.id}&limit=1000`);
    const ledger = (await readFile(join(dir.path, "ledger"), "utf8")).split("\n").slice(0, -1);
    console.log(`kill-replace-at-commits: ${kills} kills, ${runs.length} runs, ${ledger.length} starts`);
    expect(ledger).not.toContain("overlap");
    expect(new Set(ledger).size).toBe(ledger.length);
    for (const run of runs) {
      expect(["succeeded", "cancelled", "skipped"]).toContain(run.state);
      if (run.state !== "succeeded") expect(run.reason).toBe("replaced");
      else expect(ledger).toContain(run.id);
    }
    expect(runs[0]).toMatchObject({ state: "succeeded", attempt: 1 });
    expect(kills).toBeGreaterThanOrEqual(10);
  },
);

/** Requests a run, and another one that replaces it. Returns whether the daemon recorded the end of both. */
async function livesThrough(daemon: DaemonProcess, asked: string, id: string): Promise<boolean> {
  if (!(await daemon.ready())) return false;
  const isThrough = async (): Promise<boolean> => {
    await rm(asked, { force: true });
    await untilState(daemon, await startRun(daemon, { id }), "running");
    await startRun(daemon, { id });
    await writeFile(asked, "");
    await until("the end of every run", () => hasEveryRunEnded(daemon.dataDir));
    return true;
  };
  // an interrupted call means that the daemon is gone
  return Promise.race([daemon.ended.then(() => false), isThrough().catch(() => daemon.ended.then(() => false))]);
}
