import { until } from "@belfry/test-kit";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { openHouse } from "../api/house.ts";
import { type Json, startDaemon } from "../harness.ts";
import { makeTask, startRun, untilEnd, untilReady } from "../stories/arrange.ts";
import { assign, listDeliveries, makeChannel, sendTest, settle, untilDeliveryEnds } from "./arrange.ts";
import { startNameServer } from "./name-server.ts";
import { startRawReceiver, startReceiver } from "./receiver.ts";

const hungCount = 1_000;

test(`${hungCount} receivers that hang hold up neither a healthy one nor a task`, { timeout: 60_000 }, async () => {
  await using hung = await startRawReceiver((socket) => void socket.on("data", () => {}));
  await using healthy = await startReceiver();
  await using daemon = await startDaemon();
  // a scope has a hundred channels at most: ten tasks tell a hundred each
  const loud: Json[] = [];
  for (let tasks = 0; tasks < 10; tasks++) {
    const channels: Json[] = [];
    while (channels.length < hungCount / 10)
      channels.push(...(await Promise.all(Array.from({ length: 20 }, () => makeChannel(daemon, hung.url)))));
    const told = await makeTask(daemon, "exit 0");
    await assign(
      daemon,
      `tasks/${told.id}`,
      channels.map((each) => [each, true, true]),
    );
    loud.push(told);
  }
  const channel = await makeChannel(daemon, healthy.url);
  const task = await untilReady(daemon, await makeTask(daemon, "exit 0"));
  await assign(daemon, `tasks/${task.id}`, [[channel, true, true]]);
  await Promise.all(loud.map((each) => startRun(daemon, each)));
  await until("all of them to hang", () => hung.open === hungCount, 20_000);
  for (let time = 0; time < 5; time++) {
    const run = await untilEnd(daemon, await startRun(daemon, task));
    expect(run.state).toBe("succeeded");
    const endedAt = Date.parse(run.ended_at);
    await until("its delivery", () => healthy.requests.length === time + 1);
    const [delivery] = await listDeliveries(daemon, `run_id=${run.id}`);
    expect(Date.parse((await untilDeliveryEnds(daemon, delivery)).ended_at) - endedAt).toBeLessThan(1_000);
  }
});

test("a name server that does not answer holds up nobody whose name is known", async () => {
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

test("a channel whose receiver takes its requests well gets several at once, and one that fails one at a time", async () => {
  const held: ServerResponse[] = [];
  const answerAll = (status: number): void => held.splice(0).forEach((response) => response.writeHead(status).end());
  await using receiver = await startReceiver({ behave: (_request, response) => void held.push(response) });
  await using house = await openHouse();
  const channel = await makeChannel(house, receiver.url);
  for (let count = 0; count < 40; count++) await sendTest(house, channel);
  house.rooms.deliverer.start();
  for (const atOnce of [1, 2, 8, 8]) {
    await until(`${atOnce} at once`, () => held.length === atOnce);
    await settle();
    expect(held).toHaveLength(atOnce);
    answerAll(204);
  }
  await until("eight at once", () => held.length === 8);
  answerAll(503);
  await until("one at once", () => held.length === 1);
  await settle();
  expect(held).toHaveLength(1);
  answerAll(204);
});
