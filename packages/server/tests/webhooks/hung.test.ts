import { limits } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { openTestApplication } from "../support/application.ts";
import { type Json, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { makeTask, startRun, untilEnd, untilReady } from "../support/tasks.ts";
import {
  assign,
  listDeliveries,
  makeChannel,
  sendTest,
  turnEventLoop,
  untilDeliveryEnds,
} from "../support/channels.ts";
import { startNameServer } from "../support/name-server.ts";
import { startRawReceiver, startReceiver } from "../support/receiver.ts";

const hungCount = 1_000;
const extraPlaces = 256;

test(`${hungCount} hanging receivers delay neither a healthy receiver nor a task`, async () => {
  await using hung = await startRawReceiver((socket) => void socket.on("data", () => {}));
  await using healthy = await startReceiver();
  // an attempt that hangs ends only when the test advances the clock
  const clock = new ManualClock(new Date().toISOString());
  await using daemon = await startDaemon({ clock });
  // a scope has at most a hundred channels: ten tasks notify a hundred each
  const notifiers: Json[] = [];
  for (let tasks = 0; tasks < 10; tasks++) {
    const channels: Json[] = [];
    while (channels.length < hungCount / 10)
      channels.push(...(await Promise.all(Array.from({ length: 20 }, () => makeChannel(daemon, hung.url)))));
    const task = await makeTask(daemon, "exit 0");
    await assign(
      daemon,
      `tasks/${task.id}`,
      channels.map((each) => [each, true, true]),
    );
    notifiers.push(task);
  }
  const channel = await makeChannel(daemon, healthy.url);
  const task = await untilReady(daemon, await makeTask(daemon, "exit 0"));
  await assign(daemon, `tasks/${task.id}`, [[channel, true, true]]);
  const expectHealthy = async (): Promise<void> => {
    const before = healthy.requests.length;
    const run = await untilEnd(daemon, await startRun(daemon, task));
    expect(run.state).toBe("succeeded");
    await until("its delivery", () => healthy.requests.length === before + 1);
    const [delivery] = await listDeliveries(daemon, `run_id=${run.id}`);
    // the clock stands still: had it waited for a hanging one, it would never end
    expect(await untilDeliveryEnds(daemon, delivery)).toMatchObject({ state: "succeeded", attempt_count: 1 });
  };
  // five deliveries per channel: more than a lane has places
  await Promise.all(Array.from({ length: 5 }, () => notifiers.map((each) => startRun(daemon, each))).flat());
  await until("one to hang in each lane", () => hung.open === hungCount);
  for (let time = 0; time < 5; time++) await expectHealthy();
  await clock.advance(limits.webhookTimeoutMs);
  const sqlite = new BetterSqlite(daemon.config.paths.database, { readonly: true });
  const failed = sqlite
    .prepare("SELECT count(*) FROM notification_deliveries WHERE state = 'pending' AND attempt_count = 1")
    .pluck();
  await until("all of them to have timed out", () => failed.get() === hungCount && hung.open <= extraPlaces);
  sqlite.close();
  await clock.advance(limits.webhookRetryDelaysMs[0]);
  await until("extra places to be taken", () => hung.open > hungCount);
  for (let time = 0; time < 5; time++) await expectHealthy();
  expect(hung.openMax).toBeLessThanOrEqual(hungCount + extraPlaces);
});

test("a name server that does not answer delays no receiver whose name is known", async () => {
  await using healthy = await startReceiver();
  await using names = await startNameServer((name) => (name.startsWith("healthy") ? ["127.0.0.1"] : null));
  await using daemon = await startDaemon({
    clock: new ManualClock(new Date().toISOString()),
    config: { webhooks: { denyPrivate: false, ca: null, dnsServers: [names.address] } },
  });
  const channel = await makeChannel(daemon, healthy.url);
  for (let tries = 1, waiting = 0; waiting < 50; tries++) {
    expect(tries).toBeLessThanOrEqual(20);
    const hosts = Array.from({ length: 50 }, (_, count) => `dead${count}-${tries}.example.com`);
    const dead = await Promise.all(hosts.map((host) => makeChannel(daemon, `https://${host}/`)));
    await Promise.all(dead.map((each) => sendTest(daemon, each)));
    await until("all of them to be asked for", () => hosts.every((host) => names.asked.includes(host)));
    expect(await untilDeliveryEnds(daemon, await sendTest(daemon, channel))).toMatchObject({ state: "succeeded" });
    // resolvers give up after five seconds of real time: only those that still wait prove that nothing waited for them
    waiting = (await listDeliveries(daemon, "state=claimed")).length;
  }
});

test("a healthy channel has at most eight deliveries at the same time, and a failing channel four, including their pauses", async () => {
  const clock = new ManualClock();
  const held: ServerResponse[] = [];
  const answerAll = (status: number): void => held.splice(0).forEach((response) => response.writeHead(status).end());
  await using receiver = await startReceiver({ behave: (_request, response) => void held.push(response) });
  await using app = await openTestApplication({ clock });
  const expectAtOnce = async (count: number): Promise<void> => {
    await until(`${count} at once`, () => held.length === count);
    await turnEventLoop();
    expect(held).toHaveLength(count);
  };
  const channel = await makeChannel(app, receiver.url);
  for (let count = 0; count < 60; count++) await sendTest(app, channel);
  app.inside.deliverer.start();
  for (const atOnce of [1, 2, 8, 8]) {
    await expectAtOnce(atOnce);
    answerAll(204);
  }
  await expectAtOnce(8);
  answerAll(503);
  // the eight keep their places until they end: nothing new begins meanwhile
  for (const pauseMs of [1_000, 2_000]) {
    await untilRound(app, "eight pauses", async () => (await listDeliveries(app, "state=claimed")).length === 0);
    expect(held).toHaveLength(0);
    await clock.advance(pauseMs);
    await expectAtOnce(8);
    answerAll(503);
  }
  // eight have failed: four take their places
  await expectAtOnce(4);
  answerAll(204);
  await expectAtOnce(8);
  answerAll(204);
});

test("deliveries that wait for the same hanging receiver do not delay each other's next attempts", async () => {
  const clock = new ManualClock();
  const attempts = new Map<string, number[]>();
  const hung = (request: IncomingMessage): void => {
    const id = String(request.headers["x-service-delivery"]);
    attempts.set(id, [...(attempts.get(id) ?? []), clock.now()]);
  };
  await using receiver = await startReceiver({ behave: hung });
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url);
  const sent: Json[] = [];
  for (let count = 0; count < 5; count++) sent.push(await sendTest(app, channel));
  for (let step = 0; step < 1_000; step++) {
    const claimed = await listDeliveries(app, "state=claimed");
    if ((await listDeliveries(app, "state=failed")).length === sent.length) break;
    // a request takes real time to arrive
    if (claimed.every(({ id, attempt_count: count }) => attempts.get(id)?.length === count)) await clock.advance(50);
    else await turnEventLoop();
  }
  const from = Math.min(...[...attempts.values()].flat());
  const seconds = [...attempts.values()].map((times) => times.map((at) => (at - from) / 1_000));
  const expected = [0, 5, 5, 5, 18].map((begun) => [begun, begun + 6, begun + 13]);
  expect(seconds.map((times) => times.map(Math.round))).toEqual(expected);
  seconds.flat().forEach((at) => expect(Math.abs(at - Math.round(at)), String(at)).toBeLessThanOrEqual(0.1));
});
