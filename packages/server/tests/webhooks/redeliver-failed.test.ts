import { limits } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { auditRowsOf, everything, missing, query } from "../support/api.ts";
import { type TestApplication, openTestApplication } from "../support/application.ts";
import type { Answer, Json } from "../support/harness.ts";
import { makeTask } from "../support/tasks.ts";
import { assign, endDelivery, listDeliveries, makeChannel, sendTest, untilDeliveryEnds } from "../support/channels.ts";
import { startReceiver } from "../support/receiver.ts";
import { endRun } from "../support/runs.ts";

const path = "/v1/notification-deliveries/redeliver";
const nowhere = "http://127.0.0.1:9/";
const begin = "2026-11-21T01:00:00.000Z";
/** Before everything that these tests do. */
const always = { since: begin };

/** Deliveries with outcomes from the test, a minute apart, to channels of its choice. */
async function openFailed() {
  const clock = new ManualClock(begin);
  const app = await openTestApplication({ clock });
  return {
    app,
    clock,
    fail: async (channel: Json): Promise<string> => {
      const { id } = await sendTest(app, channel);
      clock.jump(60_000);
      endDelivery(app, id, false);
      return id;
    },
    redeliver: (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
      app.call("POST", path, body, headers),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** The ids of the failed deliveries that were sent again, in order. */
const formerOf = ({ json }: Answer): readonly string[] =>
  json.deliveries.map(({ redelivery_of: former }: Json) => former);

async function rowOf(app: TestApplication, id: string): Promise<Json> {
  return (await app.call("GET", `/v1/notification-deliveries/${id}`)).json;
}

test("deliveries that failed since a time are sent again, oldest first, each as a new delivery of the former one", async () => {
  await using failed = await openFailed();
  const { app, clock, fail, redeliver } = failed;
  const channel = await makeChannel(app, nowhere);
  const early = await fail(channel);
  const since = clock.now();
  const first = await fail(channel);
  const good = await sendTest(app, channel);
  endDelivery(app, good.id, true);
  const second = await fail(channel);
  const waiting = await sendTest(app, channel);

  const answer = await redeliver({ since: new Date(since + 60_000).toISOString() });
  expect(answer.status).toBe(202);
  expect(answer.json).toEqual({
    id: expect.stringMatching(/^rdl_[0-9A-Za-z]{20}$/),
    since: "2026-11-21T01:02:00.000Z",
    channel_id: null,
    deliveries: [first, second].map((redelivery_of) => ({
      id: expect.stringMatching(/^dlv_/),
      redelivery_of,
      channel_id: channel.id,
    })),
    left_out: [],
  });
  const [again] = answer.json.deliveries;
  expect(await rowOf(app, again.id)).toMatchObject({
    state: "pending",
    attempt_count: 0,
    redelivery_of: first,
    payload: { event: "test", delivery: { id: again.id } },
  });
  expect((await rowOf(app, early)).redelivery_of).toBeNull();
  const pending = await listDeliveries(app, "state=pending");
  expect(new Set(pending.map(({ id }) => id))).toEqual(
    new Set([waiting.id, ...answer.json.deliveries.map(({ id }: Json) => id)]),
  );
});

test("deliveries of one write are sent in the order in which they were queued", async () => {
  const held: ServerResponse[] = [];
  await using receiver = await startReceiver({ behave: (_request, response) => void held.push(response) });
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const channel = await makeChannel(app, receiver.url);
  for (let count = 0; count < 30; count++) await fail(channel);
  const { deliveries } = (await redeliver(always)).json;
  const queued = deliveries.map(({ id }: Json) => id as string);
  app.inside.deliverer.start();
  // as many concurrently as the lane has places after so many successes
  for (const atOnce of [1, 2, 8, 8, 8, 3]) {
    await until(`${atOnce} requests`, () => held.length === atOnce);
    for (const response of held.splice(0)) response.writeHead(204).end();
    const sent = receiver.requests.slice(-atOnce).map(({ headers }) => String(headers["x-service-delivery"]));
    expect(sent.toSorted()).toEqual(queued.splice(0, atOnce).toSorted());
  }
});

test("a repeated call redelivers nothing twice; a delivery that fails again can be sent again", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const channel = await makeChannel(app, nowhere);
  const ids = [await fail(channel), await fail(channel)];
  const [one, two] = (await redeliver(always)).json.deliveries;
  const repeated = await redeliver(always);
  expect(repeated.status).toBe(202);
  expect(repeated.json).toMatchObject({
    deliveries: [],
    left_out: [{ channel_id: channel.id, channel_name: channel.name, reason: "already_redelivered", count: 2 }],
  });
  endDelivery(app, one.id, true);
  endDelivery(app, two.id, false);
  const third = await redeliver(always);
  expect(formerOf(third)).toEqual([two.id]);
  expect(third.json.left_out).toMatchObject([{ reason: "already_redelivered", count: ids.length }]);
});

test("deliveries that were redelivered individually are left out too", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const channel = await makeChannel(app, nowhere);
  const [one, two] = [await fail(channel), await fail(channel)];
  const single = await app.call("POST", `/v1/notification-deliveries/${one}/redeliver`);
  expect(single.json.redelivery_of).toBe(one);
  expect(formerOf(await redeliver(always))).toEqual([two]);
});

test("deliveries of disabled or deleted channels are left out, and the answer counts them by channel and reason", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const [sound, disabled, gone] = [
    await makeChannel(app, nowhere),
    await makeChannel(app, nowhere),
    await makeChannel(app, nowhere),
  ];
  for (const channel of [gone, disabled, sound, gone]) await fail(channel);
  await app.call("POST", `/v1/notification-channels/${disabled.id}/disable`);
  await app.call("DELETE", `/v1/notification-channels/${gone.id}`);
  const answer = await redeliver(always);
  expect(answer.json.deliveries).toMatchObject([{ channel_id: sound.id }]);
  expect(answer.json.left_out).toEqual([
    { channel_id: gone.id, channel_name: gone.name, reason: "channel_deleted", count: 2 },
    { channel_id: disabled.id, channel_name: disabled.name, reason: "channel_disabled", count: 1 },
  ]);
  await app.call("POST", `/v1/notification-channels/${disabled.id}/enable`);
  expect((await redeliver(always)).json.deliveries).toMatchObject([{ channel_id: disabled.id }]);
});

test("a channel whose secrets cannot be opened is left out, and blocks no other channel's deliveries", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const [broken, sound] = [await makeChannel(app, nowhere), await makeChannel(app, nowhere)];
  for (const channel of [broken, sound]) await fail(channel);
  app.sqlite.prepare("UPDATE notification_channels SET endpoint_sealed = x'00' WHERE id = ?").run(broken.id);
  const answer = await redeliver(always);
  expect(answer.json.deliveries).toMatchObject([{ channel_id: sound.id }]);
  expect(answer.json.left_out).toMatchObject([{ channel_id: broken.id, reason: "channel_unreadable", count: 1 }]);
});

test("with a channel, only its deliveries are sent again", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const [one, other] = [await makeChannel(app, nowhere), await makeChannel(app, nowhere)];
  const own = await fail(one);
  await fail(other);
  const answer = await redeliver({ ...always, channel_id: one.id });
  expect(answer.json).toMatchObject({ channel_id: one.id, left_out: [] });
  expect(formerOf(answer)).toEqual([own]);
});

test("a redelivery is sent to its channel's current endpoint, for the same task and run", async () => {
  await using receiver = await startReceiver();
  await using failed = await openFailed();
  const { app, redeliver } = failed;
  const task = await makeTask(app, "true");
  const channel = await makeChannel(app, nowhere);
  await assign(app, `tasks/${task.id}`, [[channel, true, true]]);
  const run = await endRun(app, task.id);
  const [delivery] = await listDeliveries(app);
  endDelivery(app, delivery.id, false);
  await app.call("PATCH", `/v1/notification-channels/${channel.id}`, { endpoint: receiver.url });
  const [{ id }] = (await redeliver(always)).json.deliveries;
  app.inside.deliverer.start();
  expect(await untilDeliveryEnds(app, { id })).toMatchObject({
    state: "succeeded",
    task_id: task.id,
    run_id: run.id,
    endpoint_summary: receiver.origin,
    payload: { ...delivery.payload, delivery: { id } },
  });
});

test("a repeated call under one Idempotency-Key gets the first answer, whatever has happened since", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const channel = await makeChannel(app, nowhere);
  await fail(channel);
  const key = { "idempotency-key": "again" };
  const first = await redeliver(always, key);
  await fail(channel);
  const before = everything(app);
  const replay = await redeliver(always, key);
  expect([replay.status, replay.json, replay.headers["idempotent-replay"]]).toEqual([202, first.json, "true"]);
  expect(everything(app)).toEqual(before);
  expect((await redeliver({ ...always, channel_id: channel.id }, key)).status).toBe(409);
});

test("answers are kept for as long as their keys, and no longer", async () => {
  await using failed = await openFailed();
  const { app, clock, redeliver } = failed;
  const kept = () => query(app, "SELECT id FROM notification_redeliveries");
  const first = await redeliver(always);
  clock.jump(limits.idempotencyKeptMs - 1);
  await redeliver(always);
  expect(kept()).toContainEqual({ id: first.json.id });
  clock.jump(1);
  await redeliver(always);
  expect(kept()).toHaveLength(2);
});

test("the trail has one row for the whole call, under its id", async () => {
  await using failed = await openFailed();
  const { app, fail, redeliver } = failed;
  const channel = await makeChannel(app, nowhere);
  for (let count = 0; count < 3; count++) await fail(channel);
  const answer = await redeliver({ ...always, channel_id: channel.id });
  expect(auditRowsOf(app, answer)).toMatchObject([
    {
      operation: "notification_deliveries.redeliver_failed",
      resource_id: answer.json.id,
      result: "allowed",
      changed_fields_json: '["channel_id","since"]',
    },
  ]);
});

test("a channel that does not exist is not found, and an observer may not redeliver", async () => {
  await using failed = await openFailed();
  const { app, redeliver } = failed;
  const unknown = await redeliver({ ...always, channel_id: missing.channel });
  expect([unknown.status, unknown.json.error.field]).toEqual([404, "channel_id"]);
  expect((await redeliver({})).json.error.field).toBe("since");
  app.actAs("observe");
  expect((await redeliver(always)).status).toBe(403);
  app.actAs("operate");
  expect((await redeliver(always)).json).toMatchObject({ deliveries: [], left_out: [] });
});

test("all thousand kept deliveries are sent again in one call", async () => {
  await using failed = await openFailed();
  const { app, redeliver } = failed;
  const channel = app.inside.channels.get((await makeChannel(app, nowhere)).id);
  const ids = app.inside.write((unit) =>
    Array.from({ length: limits.deliveriesKept }, () => app.inside.deliveries.test(unit, channel).id),
  );
  for (const id of ids) endDelivery(app, id, false);
  const answer = await redeliver(always);
  expect(formerOf(answer)).toEqual(ids);
});
