import { limits } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { endOverPauses, getDelivery, makeChannel, sendTest, untilDelivery } from "../support/channels.ts";
import { startRawReceiver, startReceiver } from "../support/receiver.ts";

/**
 * A stop waits for attempts in flight for at most six seconds of real time, whatever the clock of the daemon says. A machine that
 * paused for as long decides nothing.
 */
const decidesWithinMs = 5_500;

test("a stopping daemon gives a third attempt its five seconds: a slow answer is a success, no answer a timeout", async () => {
  for (let isDecided = false; !isDecided;) {
    const third: ServerResponse[] = [];
    await using slow = await startReceiver({
      behave: (_request, response, nth) => void (nth < 3 ? response.writeHead(503).end() : third.push(response)),
    });
    await using hung = await startReceiver({
      behave: (_request, response, nth) => void (nth < 3 && response.writeHead(503).end()),
    });
    const clock = new ManualClock(new Date().toISOString());
    await using daemon = await startDaemon({ clock });
    const sent: Json[] = [];
    for (const { url } of [slow, hung]) sent.push(await sendTest(daemon, await makeChannel(daemon, url)));
    for (const [index, pauseMs] of limits.webhookRetryDelaysMs.entries()) {
      for (const each of sent) await untilDelivery(daemon, each, { state: "pending", attempt_count: index + 1 });
      await clock.advance(pauseMs);
    }
    await until("both third attempts", () => slow.requests.length === 3 && hung.requests.length === 3);
    using rows = readDeliveries(daemon);
    const begunAt = performance.now();
    const stopped = daemon.stop();
    await until("the end of the socket", () => !existsSync(daemon.socketPath));
    await clock.advance(3_000);
    third[0]!.writeHead(204).end();
    await until("the success or the end of the stop", () => {
      const isOver = performance.now() - begunAt > decidesWithinMs;
      return isOver || rows.read().some(({ state }) => state === "succeeded");
    });
    await clock.advance(2_000);
    await stopped;
    isDecided = performance.now() - begunAt < decidesWithinMs;
    if (!isDecided) continue;
    await using next = await startDaemon({ dataDir: daemon.dataDir, clock });
    const [answered, unanswered] = await Promise.all(sent.map((each) => getDelivery(next, each)));
    expect(answered).toMatchObject({ state: "succeeded", attempt_count: 3, last_status: 204 });
    expect(unanswered).toMatchObject({ state: "failed", attempt_count: 3, last_status: 503 });
    expect(unanswered.diagnostic).toMatch(/^the attempt timed out after 5 s/);
  }
});

test("only the attempts in flight delay a stop: the socket is closed immediately, and no queued delivery begins", async () => {
  for (let isDecided = false; !isDecided;) {
    await using hung = await startRawReceiver((socket) => void socket.on("data", () => {}));
    const clock = new ManualClock(new Date().toISOString());
    await using daemon = await startDaemon({ clock });
    const channel = await makeChannel(daemon, hung.url);
    for (let count = 0; count < 2; count++) await sendTest(daemon, channel);
    await until("the request", () => hung.open === 1);
    using rows = readDeliveries(daemon);
    let hasStopped = false;
    const begunAt = performance.now();
    const stopped = daemon.stop().then(() => void (hasStopped = true));
    await until("the end of the socket", () => !existsSync(daemon.socketPath));
    const seen = [existsSync(join(daemon.dataDir, "daemon.json")), hasStopped, hung.open];
    await clock.advance(5_000);
    await stopped;
    isDecided = performance.now() - begunAt < decidesWithinMs;
    if (!isDecided) continue;
    expect(seen).toEqual([false, false, 1]);
    expect(hung.connections).toBe(1);
    expect(rows.read()).toEqual([0, 1].map((count) => ({ state: "pending", count })));
  }
});

test("a daemon whose deliveries wait for their next attempt stops immediately, and the next daemon continues the count", async () => {
  await using receiver = await startReceiver({
    behave: (_request, response, nth) => void response.writeHead(nth === 1 ? 503 : 204).end(),
  });
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const sent = await sendTest(daemon, await makeChannel(daemon, receiver.url));
  await untilDelivery(daemon, sent, { state: "pending", attempt_count: 1 });
  // the clock stands still, so a stop that waited for the next attempt would not end
  await daemon.stop();
  expect(receiver.requests).toHaveLength(1);
  await using next = await startDaemon({ dataDir: daemon.dataDir, clock });
  expect(await endOverPauses(next, clock, sent)).toMatchObject({ state: "succeeded", attempt_count: 2 });
});

/** Reads the rows of deliveries, also while their daemon stops. */
function readDeliveries({ config }: Harness) {
  const sqlite = new BetterSqlite(config.paths.database, { readonly: true });
  const rows = sqlite.prepare("SELECT state, attempt_count AS count FROM notification_deliveries ORDER BY count");
  return {
    read: () => rows.all() as { readonly state: string; readonly count: number }[],
    [Symbol.dispose]: (): void => void sqlite.close(),
  };
}
