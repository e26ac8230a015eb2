import { seed, tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { made2xx } from "../support/tasks.ts";
import { link } from "../support/chains.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { expectAllStartedOnce } from "../support/processes/chain-checks.ts";
import { type DaemonProcess, spawnDaemon, startDaemonProcess } from "../support/processes/daemon-process.ts";
import { seeded } from "../support/seeded.ts";

/** `BELFRY_SOAK_KILLS=10000 vitest run kill-chains` runs for hours; `BELFRY_SEED=random` kills at other moments. */
const kills = Number(process.env["BELFRY_SOAK_KILLS"] ?? 40);

test(
  `a daemon killed ${kills} times around the ends of runs starts each of their targets once (seed ${seed})`,
  { timeout: 600_000 + kills * 60_000 },
  async () => {
    console.log(`kill-chains: seed ${seed}`);
    const random = seeded(seed);
    await using bundle = await bundleDaemon();
    await using dir = await tempDir("bk-");
    const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
    const beginning = await startDaemonProcess(options);
    const sources = await layOut(beginning, dir.path);
    await beginning.kill();

    const asked = new Set<string>();
    for (let kill = 0; kill < kills; kill++) {
      const daemon = spawnDaemon(options);
      const isReady = await daemon.ready();
      expect(isReady, daemon.said.stderr).toBe(true);
      const before = asked.size;
      const acting = keepAsking(daemon, sources, asked);
      // the sources take 0 to 150 ms: some end at every moment of this span
      await until("an accepted request", () => asked.size > before);
      await sleep(systemClock, 400 * random());
      await daemon.kill();
      await acting;
    }

    const { history, started } = await expectAllStartedOnce(options, dir.path);
    const ended = new Map(history.runs.map((run) => [run.id, run]));
    for (const id of asked) expect(ended.get(id)?.endedAt, `run ${id}, which was asked for`).not.toBeNull();
    console.log(
      `kill-chains: ${kills} kills, ${asked.size} runs asked for, ${history.runs.length} runs, ${started} of them started by an end`,
    );
    expect(started).toBeGreaterThan(kills);
  },
);

const head = 'echo "$BELFRY_RUN_ID.$BELFRY_ATTEMPT" >> "$LEDGER"';

/** Sources that succeed or fail at a random moment. Each has a target for each outcome, and two of the targets have targets. */
async function layOut(daemon: DaemonProcess, folder: string): Promise<readonly string[]> {
  const environment = { LEDGER: join(folder, "ledger") };
  await writeFile(environment.LEDGER, "");
  let made = 0;
  const make = (work: string, task: object = {}) =>
    made2xx(
      daemon.call("POST", "/v1/tasks", {
        name: `task ${made++}`,
        command: { kind: "shell", script: `${head}\n${work}` },
        environment,
        concurrency: { limit: 10 },
        retention: { runs: 1_000_000 },
        ...task,
      }),
    );
  const sources: string[] = [];
  for (const work of ["exit 0", "exit 1", "sleep 0.05", "sleep 0.15; exit 3"]) {
    const source = await make(work);
    sources.push(source.id);
    const second = await make(":");
    await link(daemon, source, second, { on_outcome: "success" });
    await link(daemon, second, await make(":"), { on_outcome: "any" });
    const onFailure = await make("exit 1", { retry: { max_attempts: 2, delay: "50ms" } });
    await link(daemon, source, onFailure, { on_outcome: "failure" });
    await link(daemon, source, await make("sleep 0.1"), { on_outcome: "any", delay: "200ms" });
    await link(daemon, onFailure, await make(":"), { on_outcome: "failure" });
    await link(daemon, source, await make(":", { enabled: false }), { on_outcome: "any" });
  }
  return sources;
}

/** Requests runs of the sources until the daemon is killed. */
async function keepAsking(daemon: DaemonProcess, sources: readonly string[], asked: Set<string>): Promise<void> {
  try {
    for (;;) {
      for (const id of sources) {
        const { status, json } = await daemon.call("POST", `/v1/tasks/${id}/run`);
        if (status === 202) asked.add(json.id);
      }
      await sleep(systemClock, 80);
    }
  } catch {
    // the daemon was killed
  }
}
