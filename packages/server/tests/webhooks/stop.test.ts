import { ManualClock, until } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { endOverPauses, getDelivery, makeChannel, sendTest, untilDelivery } from "../support/channels.ts";
import { startRawReceiver, startReceiver } from "../support/receiver.ts";

test("a stopping daemon gives a third attempt its five seconds: a slow answer is a success, no answer a timeout", async () => {
  // answers the third attempt after three seconds
  await using slow = await startReceiver({
    behave: (_request, response, nth) =>
      void (nth < 3 ? response.writeHead(503).end() : setTimeout(() => response.writeHead(204).end(), 3_000)),
  });
  await using hung = await startReceiver({
    behave: (_request, response, nth) => void (nth < 3 && response.writeHead(503).end()),
  });
  await using daemon = await startDaemon();
  const sent = [];
  for (const { url } of [slow, hung]) sent.push(await sendTest(daemon, await makeChannel(daemon, url)));
  await until("both third attempts", () => slow.requests.length === 3 && hung.requests.length === 3);
  await daemon.stop();
  await using next = await startDaemon({ dataDir: daemon.dataDir });
  const [answered, unanswered] = await Promise.all(sent.map((each) => getDelivery(next, each)));
  expect(answered).toMatchObject({ state: "succeeded", attempt_count: 3, last_status: 204 });
  expect(unanswered).toMatchObject({ state: "failed", attempt_count: 3, last_status: 503 });
  expect(unanswered.diagnostic).toMatch(/^the attempt timed out after 5 s/);
});

test("only the attempts in flight delay a stop: the socket is closed immediately, and no queued delivery begins", async () => {
  await using hung = await startRawReceiver((socket) => void socket.on("data", () => {}));
  await using daemon = await startDaemon();
  const channel = await makeChannel(daemon, hung.url);
  for (let count = 0; count < 2; count++) await sendTest(daemon, channel);
  await until("the request", () => hung.open === 1);
  let hasStopped = false;
  const stopped = daemon.stop().then(() => void (hasStopped = true));
  await until("the end of the socket", () => !existsSync(daemon.socketPath));
  expect(existsSync(join(daemon.dataDir, "daemon.json"))).toBe(false);
  expect([hasStopped, hung.open]).toEqual([false, 1]);
  await stopped;
  expect(hung.connections).toBe(1);

  const sqlite = new BetterSqlite(daemon.config.paths.database, { readonly: true });
  const rows = sqlite.prepare("SELECT state, attempt_count AS count FROM notification_deliveries ORDER BY count").all();
  sqlite.close();
  expect(rows).toEqual([0, 1].map((count) => ({ state: "pending", count })));
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
