import { seed, tempDir, until } from "@belfry/test-kit";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { liveFolder } from "../../src/runner/places.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { type DaemonProcess, spawnDaemon, startDaemonProcess } from "../support/processes/daemon-process.ts";
import {
  expectEachInstantOnce,
  expectEachRunOnce,
  expectPolicies,
  expectSoundDatabase,
  expectWholeOutput,
  hasEveryRunEnded,
  type Life,
  readCursors,
  readHistory,
  type Span,
} from "../support/processes/kill-checks.ts";
import { everyMs, layOut } from "../support/processes/kill-world.ts";
import { survivorsOf } from "../support/processes/runners.ts";
import { seeded } from "../support/seeded.ts";
import { made2xx } from "../support/tasks.ts";

/** `BELFRY_SOAK_KILLS=10000 vitest run kill-daemon` runs for hours; `BELFRY_SEED=random` kills at other moments. */
const kills = Number(process.env["BELFRY_SOAK_KILLS"] ?? 50);

test(
  `a daemon killed ${kills} times loses no scheduled time, no result and no output, and runs nothing twice (seed ${seed})`,
  { timeout: 600_000 + kills * 60_000 },
  async () => {
    console.log(`kill-daemon: seed ${seed}`);
    const random = seeded(seed);
    await using bundle = await bundleDaemon();
    await using dir = await tempDir("bk-");
    const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
    const asked: Asked = { cancelled: new Set(), requested: new Set() };
    const outages: Span[] = [];
    const up: Life[] = [];

    {
      await using first = await startDaemonProcess(options);
      await first.stop();
    }
    await writeFile(join(options.dataDir, "config.toml"), "[engine]\nmax_concurrent_runs = 64\n");
    const beginning = await startDaemonProcess(options);
    const beats = await layOut(beginning, dir.path);
    await beginning.kill();

    let downFrom = Date.now();
    for (let kill = 1; kill <= kills; kill++) {
      // sometimes the daemon stays down long enough to miss more than one scheduled time
      if (kill % 12 === 0) await sleep(systemClock, 2_300);
      outages.push({ from: downFrom, until: Date.now() });
      const daemon = spawnDaemon(options);
      const acting = act(daemon, random, asked);
      // half of the kills come at a random moment, the others while runs are due, ordered, claimed and recorded
      if (kill % 2 === 0) await sleep(systemClock, 100 + 1_400 * random());
      else await sleepUntilBeat(daemon, beats[Math.floor(beats.length * random())]!, 100 * random());
      await daemon.kill();
      downFrom = Date.now();
      const from = await acting;
      if (from !== null) up.push({ from, cursors: readCursors(options.dataDir) });
    }

    await using last = await startDaemonProcess(options);
    await until("its start", () => hasStarted(last));
    const from = Date.now();
    await until("a time of each schedule", () => [...readCursors(options.dataDir).values()].every((at) => at >= from));
    up.push({ from, cursors: readCursors(options.dataDir) });
    await disableAll(last);
    const idOf = await readIds(last);
    await until("the last run's end", async () => {
      await cancelRunning(last, { id: idOf("cancelled"), asked, isWanted: () => true });
      return hasEveryRunEnded(options.dataDir);
    });
    await until(
      "the last claim to be forgotten",
      async () => (await readdir(liveFolder(options.dataDir))).length === 0,
    );
    const history = readHistory(options.dataDir);
    await expectWholeOutput(history, last, dir.path);
    await last.stop();

    expectEachInstantOnce(history);
    expectPolicies(history, { outages, up });
    await expectEachRunOnce(history, dir.path);
    const stateOf = new Map(history.runs.map((run) => [run.id, run.state]));
    for (const id of asked.cancelled) expect(stateOf.get(id), `run ${id}, whose cancel was answered`).toBe("cancelled");
    for (const id of asked.requested) expect(stateOf.get(id), `run ${id}, which was asked for`).toBe("succeeded");
    expect(await survivorsOf(dir.path)).toEqual([]);
    expectSoundDatabase(options.dataDir);
    console.log(
      `kill-daemon: ${kills} kills, ${history.runs.length} runs, ${history.attempts.length} attempts, ${asked.cancelled.size} cancels, ${up.length} lives that answered`,
    );
  },
);

/**
 * Waits until the daemon answers, and then until the next due time of the schedule with this scheduled time, plus some
 * milliseconds.
 */
async function sleepUntilBeat(daemon: DaemonProcess, beat: number, moreMs: number): Promise<void> {
  await daemon.ready();
  await sleep(systemClock, everyMs - ((Date.now() - beat) % everyMs) + moreMs);
}

/** The acknowledged calls: they must hold whatever happens to the daemon afterwards. */
interface Asked {
  readonly cancelled: Set<string>;
  readonly requested: Set<string>;
}

/** Requests runs and cancels some, until the daemon is killed. Returns a time after its start, or null. */
async function act(daemon: DaemonProcess, random: () => number, asked: Asked): Promise<number | null> {
  if (!(await daemon.ready())) return null;
  let startedAt: number | null = null;
  try {
    const idOf = await readIds(daemon);
    for (;;) {
      if (hasStarted(daemon)) startedAt ??= Date.now();
      const requested = await daemon.call("POST", `/v1/tasks/${idOf("none")}/run`);
      if (requested.status === 202) asked.requested.add(requested.json.id);
      await cancelRunning(daemon, { id: idOf("cancelled"), asked, isWanted: () => random() < 0.5 });
      await sleep(systemClock, 150);
    }
  } catch {
    return startedAt;
  }
}

/** A daemon answers a moment before its ticker begins: times that are due meanwhile count as missed. */
function hasStarted(daemon: DaemonProcess): boolean {
  return daemon.said.stdout.includes("daemon.started");
}

/** Returns the ids of the tasks by their names. */
async function readIds(daemon: DaemonProcess): Promise<(name: string) => string> {
  const { json } = await daemon.call("GET", "/v1/tasks");
  return (name) => json.tasks.find((task: { name: string }) => task.name === name).id as string;
}

/** Cancels those of a task's running runs that are wanted. */
async function cancelRunning(
  daemon: DaemonProcess,
  of: { readonly id: string; readonly asked: Asked; readonly isWanted: () => boolean },
): Promise<void> {
  const running = await daemon.call("GET", `/v1/runs?state=running&task_id=${of.id}`);
  for (const { id } of running.json.runs) {
    if (of.isWanted() && (await daemon.call("POST", `/v1/runs/${id}/cancel`)).status === 200)
      of.asked.cancelled.add(id);
  }
}

/** Disables each schedule at any moment: also while one of its times is due. */
async function disableAll(daemon: DaemonProcess): Promise<void> {
  const { json } = await daemon.call("GET", "/v1/schedules");
  for (const { id } of json.schedules) await made2xx(daemon.call("POST", `/v1/schedules/${id}/disable`));
}
