import { patienceMs, seed, tempDir, until } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { query } from "../support/api.ts";
import type { Json } from "../support/harness.ts";
import { makeTask, startRun, untilEnd, untilReady } from "../support/tasks.ts";
import { assign, makeChannel } from "../support/channels.ts";
import { startReceiver } from "../support/receiver.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { type DaemonProcess, startDaemonProcess } from "../support/processes/daemon-process.ts";
import { expectSoundDatabase } from "../support/processes/kill-checks.ts";
import { seeded } from "../support/seeded.ts";

/** `BELFRY_SOAK_DELIVERIES=10000 vitest run kill-deliveries` for longer; `BELFRY_SEED=random` kills at other moments. */
const wanted = Number(process.env["BELFRY_SOAK_DELIVERIES"] ?? 300);
const channelCount = 20;
/**
 * In a long test a wave is thousands of deliveries, which a kill interrupts together. In a short test, small waves
 * cover more moments.
 */
const runsAWave = wanted > 1_000 ? wanted / channelCount : 5;
const waves = Math.ceil(wanted / (channelCount * runsAWave));
const total = waves * channelCount * runsAWave;
/** Three attempts: two may be interrupted, and the third succeeds. */
const killsAWave = 2;

test(
  `${total} deliveries, each with ${killsAWave} kills of its daemon while in flight, all arrive under one id (seed ${seed})`,
  { timeout: 600_000 + waves * 300_000 + wanted * 20 },
  async () => {
    const random = seeded(seed);
    await using bundle = await bundleDaemon();
    await using dir = await tempDir("bk-");
    const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
    await using receiver = await startReceiver({
      behave: (_request, response) => void setTimeout(() => response.writeHead(204).end(), 20 + 150 * random()),
    });
    let daemon = await startDaemonProcess(options);
    const task = await makeTask(daemon, "exit 7", { concurrency: { limit: runsAWave } });
    const channels: Json[] = [];
    for (let count = 0; count < channelCount; count++)
      channels.push(await makeChannel(daemon, `${receiver.origin}/${count}`, { authorization: "Bearer kept" }));
    await assign(
      daemon,
      `tasks/${task.id}`,
      channels.map((channel) => [channel, false, true]),
    );

    const ends = new Map<string, Json>();
    let inFlight = 0;
    for (let wave = 0; wave < waves; wave++) {
      await untilReady(daemon, task);
      const before = receiver.requests.length;
      const runs = await Promise.all(Array.from({ length: runsAWave }, () => startRun(daemon, task)));
      for (const run of await Promise.all(runs.map((each) => untilEnd(daemon, each)))) ends.set(run.id, run);
      await until("a request of this wave", () => receiver.requests.length > before);
      for (let kill = 0; kill < killsAWave; kill++) {
        await sleep(systemClock, 250 * random());
        await daemon.kill();
        inFlight += countOf(options.dataDir, "state = 'claimed'");
        daemon = await startDaemonProcess(options);
      }
      const withinMs = Math.max(patienceMs, 20_000 + wanted * 5);
      await until("the wave's end", () => countOf(options.dataDir, "ended_at IS NULL") === 0, withinMs);
    }
    await using last: DaemonProcess = daemon;

    const arrived = Map.groupBy(receiver.requests, ({ headers }) => headers["x-service-delivery"] as string);
    expect(arrived.size).toBe(total);
    for (const [id, requests] of arrived) {
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
      expect(JSON.parse(requests[0]!.body).delivery.id).toBe(id);
      expect(requests.length).toBeLessThanOrEqual(3);
      for (const { headers } of requests) expect(headers.authorization).toBe("Bearer kept");
    }
    // the records of the newest thousand count every request that the receiver got
    const rows = query<Row>(options, "SELECT id, state, attempt_count FROM notification_deliveries");
    expect(rows).toHaveLength(Math.min(total, 1_000));
    for (const row of rows) {
      expect(row.state, row.id).toBe("succeeded");
      expect(row.attempt_count, row.id).toBeGreaterThanOrEqual(arrived.get(row.id)!.length);
      expect(row.attempt_count, row.id).toBeLessThanOrEqual(3);
    }
    for (const [id, run] of ends) expect((await last.call("GET", `/v1/runs/${id}`)).json).toEqual(run);
    expect(inFlight).toBeGreaterThan(waves);
    await last.stop();
    expectSoundDatabase(options.dataDir);
    const twice = [...arrived.values()].filter((requests) => requests.length > 1).length;
    console.log(
      `kill-deliveries: ${waves * killsAWave} kills, ${total} deliveries, ${inFlight} claimed at a kill, ${receiver.requests.length} requests, ${twice} seen more than once`,
    );
  },
);

interface Row {
  readonly id: string;
  readonly state: string;
  readonly attempt_count: number;
}

function countOf(dataDir: string, where: string): number {
  return query<{ n: number }>({ dataDir }, `SELECT count(*) AS n FROM notification_deliveries WHERE ${where}`)[0]!.n;
}
