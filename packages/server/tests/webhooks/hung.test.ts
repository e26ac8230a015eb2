import { limits } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
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
  await using daemon = await startDaemon();
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
    const endedAt = Date.parse(run.ended_at);
    await until("its delivery", () => healthy.requests.length === before + 1);
    const [delivery] = await listDeliveries(daemon, `run_id=${run.id}`);
    // had it waited for a hanging one, it would end after that one has timed out
    const { ended_at } = await untilDeliveryEnds(daemon, delivery);
    expect(Date.parse(ended_at) - endedAt).toBeLessThan(limits.webhookTimeoutMs);
  };
  // five deliveries per channel: more than a lane has places
  await Promise.all(Array.from({ length: 5 }, () => notifiers.map((each) => startRun(daemon, each))).flat());
  await until("one to hang in each lane", () => hung.open === hungCount);
  for (let time = 0; time < 5; time++) await expectHealthy();
  await until("extra places to be taken", () => hung.open > hungCount);
  for (let time = 0; time < 5; time++) await expectHealthy();
  expect(hung.openMax).toBeLessThanOrEqual(hungCount + extraPlaces);
});

test("a name server that does not answer delays no receiver whose name is known", async () => {
  await using healthy = await startReceiver();
  await using names = await startNameServer((name) => (name.startsWith("healthy") ? ["127.0.0.1"] : null));
  await using daemon = await startDaemon({
    config: { webhooks: { denyPrivate: false, ca: null, dnsServers: [names.address] } },
  });
  for (let count = 0; count < 50; count++)
    await sendTest(daemon, await makeChannel(daemon, `https://dead${count}.example.com/`));
  await until("all of them to be asked for", () => new Set(names.asked).size === 50);
  const sent = await sendTest(daemon, await makeChannel(daemon, healthy.url));
  expect(await untilDeliveryEnds(daemon, sent, 1_000)).toMatchObject({ state: "succeeded" });
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
