import { ManualClock, until } from "@belfry/test-kit";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { isWebhookParseError, parseWebhook } from "@belfry/webhook-schema";
import { StrictWebhookPayload } from "../../../contract/tests/strict-payload.ts";
import { openTestApplication } from "../support/application.ts";
import { startDaemon } from "../support/harness.ts";
import { cancel, makeGroup, makeTask, startRun, untilEnd, untilReady, untilState } from "../support/tasks.ts";
import {
  assign,
  endOverPauses,
  listDeliveries,
  makeChannel,
  sendTest,
  untilDeliveryEnds,
} from "../support/channels.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";
import { endRun } from "../support/runs.ts";

const secretA = `whsec_${Buffer.alloc(32, "a").toString("base64")}`;
const secretB = `whsec_${Buffer.alloc(24, "b").toString("base64")}`;

/** Nobody advances it, so that an attempt has all the time that it needs, and is the only one. */
const standing = (): ManualClock => new ManualClock(new Date().toISOString());

test("a run that ends is notified in one POST with exactly the contract's body", async () => {
  await using receiver = await startReceiver();
  await using daemon = await startDaemon({ clock: standing() });
  const group = await makeGroup(daemon, { name: "Backups" });
  const task = await makeTask(daemon, "exit 3", { name: "Nightly", group_id: group.id });
  const channel = await makeChannel(daemon, receiver.url, { authorization: "Bearer open sesame" });
  await assign(daemon, `groups/${group.id}`, [[channel, false, true]]);
  const run = await untilEnd(daemon, await startRun(daemon, await untilReady(daemon, task)));
  await until("the request", () => receiver.requests.length > 0);
  const [request] = receiver.requests;
  const body = JSON.parse(request!.body);
  expect(request).toMatchObject({ method: "POST", path: "/hook/planted-path?key=planted-query" });
  expect(Object.keys(request!.headers).toSorted()).toEqual(
    [
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "x-service-delivery",
      "x-service-event",
    ].toSorted(),
  );
  expect(request!.headers).toMatchObject({
    authorization: "Bearer open sesame",
    "content-type": "application/json",
    "user-agent": "service/1.4.0-test",
    "x-service-delivery": body.delivery.id,
    "x-service-event": "run.completed",
  });
  expect(body).toEqual({
    schema: "service.webhook.v1",
    event: "run.completed",
    delivery: { id: expect.stringMatching(/^dlv_/), created_at: expect.any(String) },
    daemon: { version: "1.4.0-test" },
    task: { id: task.id, name: "Nightly", group_id: group.id, group_name: "Backups" },
    run: {
      id: run.id,
      outcome: "failure",
      trigger: "manual",
      scheduled_for: run.scheduled_for,
      started_at: run.started_at,
      ended_at: run.ended_at,
      duration_ms: run.duration_ms,
      exit_code: 3,
    },
  });
  const ended = await untilDeliveryEnds(daemon, { id: body.delivery.id });
  expect(ended).toEqual({
    id: body.delivery.id,
    channel_id: channel.id,
    channel_name: channel.name,
    endpoint_summary: receiver.origin,
    event: "run.completed",
    task_id: task.id,
    run_id: run.id,
    state: "succeeded",
    attempt_count: 1,
    last_status: 204,
    diagnostic: null,
    created_at: body.delivery.created_at,
    updated_at: expect.any(String),
    next_attempt_at: null,
    claimed_at: expect.any(String),
    ended_at: expect.any(String),
    redelivery_of: null,
    payload: body,
  });
  expect(receiver.requests).toHaveLength(1);
});

test("a test delivery is sent the same way, with no task and no run", async () => {
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ clock: standing(), canDeliver: true });
  const { id } = await sendTest(app, await makeChannel(app, receiver.url));
  const ended = await untilDeliveryEnds(app, { id });
  const body = JSON.parse(receiver.requests[0]!.body);
  expect(body).toEqual({
    schema: "service.webhook.v1",
    event: "test",
    delivery: { id, created_at: ended.created_at },
    daemon: { version: "1.4.0-test" },
  });
  expect(ended).toMatchObject({ event: "test", task_id: null, run_id: null, state: "succeeded" });
  expect(receiver.requests[0]!.headers["x-service-event"]).toBe("test");
});

test("the body omits missing members; a run that never started began at its dispatch, in the API as well", async () => {
  const clock = new ManualClock("2026-11-21T01:18:00.123Z");
  await using app = await openTestApplication({ clock });
  const task = await makeTask(app, "true");
  const channel = await makeChannel(app, "http://127.0.0.1:9/");
  await assign(app, `tasks/${task.id}`, [[channel, true, true]]);
  const run = await endRun(app, task.id, { cause: "spawn_error", exitCode: null });
  const [delivery] = await listDeliveries(app);
  expect(StrictWebhookPayload.parse(delivery.payload)).toEqual(delivery.payload);
  expect(delivery.payload.task).toEqual({ id: task.id, name: task.name });
  expect(delivery.payload.run).toEqual({
    id: run.id,
    outcome: "failure",
    trigger: "manual",
    scheduled_for: "2026-11-21T01:18:00.123Z",
    started_at: "2026-11-21T01:18:00.123Z",
    ended_at: "2026-11-21T01:18:00.163Z",
    duration_ms: 0,
  });
  expect(run).toMatchObject({ started_at: delivery.payload.run.started_at, duration_ms: 0, pid: null });
});

test("only assigned outcomes are notified, and a cancelled or skipped run has no outcome", async () => {
  await using receiver = await startReceiver();
  await using daemon = await startDaemon({ clock: standing() });
  const task = await makeTask(daemon, "exit 0");
  const [both, success, failure] = await Promise.all(
    ["both", "success", "failure"].map((name) => makeChannel(daemon, `${receiver.origin}/${name}`)),
  );
  await assign(daemon, `tasks/${task.id}`, [
    [both, true, true],
    [success, true, false],
    [failure, false, true],
  ]);
  await untilEnd(daemon, await startRun(daemon, await untilReady(daemon, task)));
  const long = await makeTask(daemon, "sleep 3600", { concurrency: { on_conflict: "skip" }, kill_grace: "0s" });
  await assign(daemon, `tasks/${long.id}`, [[both, true, true]]);
  const running = await untilState(daemon, await startRun(daemon, long), "running");
  expect((await startRun(daemon, long)).state).toBe("skipped");
  await cancel(daemon, running);
  await untilEnd(daemon, running);
  const deliveries = await listDeliveries(daemon);
  expect(deliveries).toHaveLength(2);
  for (const delivery of deliveries) await untilDeliveryEnds(daemon, delivery);
  expect(receiver.requests.map(({ path }) => path).toSorted()).toEqual(["/both", "/success"]);
});

test("a run with several attempts is notified once, after the last one", async () => {
  await using daemon = await startDaemon();
  const retry = { max_attempts: 2, delay: "0s", jitter: 0 };
  const task = await makeTask(daemon, 'test "$BELFRY_ATTEMPT" = 2', { retry });
  await assign(daemon, `tasks/${task.id}`, [[await makeChannel(daemon, "http://127.0.0.1:9/"), true, true]]);
  await untilEnd(daemon, await startRun(daemon, await untilReady(daemon, task)));
  const deliveries = await listDeliveries(daemon);
  expect(deliveries.map(({ payload }) => payload.run.outcome)).toEqual(["success"]);
});

test("a signing secret signs as Standard Webhooks specifies, and a replaced one also signs for a day", async () => {
  const clock = new ManualClock(new Date().toISOString());
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url, { signing_secret: secretA });
  const sendAndTake = async () => {
    const { id } = await sendTest(app, channel);
    await untilDeliveryEnds(app, { id });
    const { body, headers } = receiver.requests.at(-1)!;
    return { id, body, headers: headers as Record<string, string> };
  };
  // verified by the library that receivers commonly use and by our package for receivers, which must agree
  const verifies = async (secret: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    const byPackage = await parseWebhook(headers, body, { secret, now: clock.now() }).catch((error: unknown) => error);
    const isVerified = !isWebhookParseError(byPackage);
    const byLibrary = () => new Webhook(secret).verify(body, headers);
    if (isVerified) expect(byLibrary()).toEqual(byPackage);
    else expect(byLibrary).toThrow("No matching signature found");
    return isVerified;
  };
  const first = await sendAndTake();
  expect(first.headers["webhook-id"]).toBe(first.id);
  expect([await verifies(secretA, first), await verifies(secretB, first)]).toEqual([true, false]);

  const rotate = (body: object) => app.call("POST", `/v1/notification-channels/${channel.id}/rotate`, body);
  expect((await rotate({ signing_secret: secretB })).json.has_signing_secret).toBe(true);
  const second = await sendAndTake();
  expect([await verifies(secretA, second), await verifies(secretB, second)]).toEqual([true, true]);
  expect(second.headers["webhook-signature"]!.split(" ")).toHaveLength(2);

  clock.jump(24 * 3_600_000);
  const third = await sendAndTake();
  expect(third.headers["webhook-signature"]!.split(" ")).toHaveLength(1);
  clock.jump(-24 * 3_600_000);
  expect((await rotate({ signing_secret: null })).json.has_signing_secret).toBe(false);
  expect(Object.keys((await sendAndTake()).headers).filter((name) => name.startsWith("webhook-"))).toEqual([]);
});

test("authorization never follows a redirect, whatever its target", async () => {
  const clock = new ManualClock();
  await using thief = await startReceiver();
  await using receiver = await startReceiver({ behave: answerWith(307, { location: thief.url }) });
  await using app = await openTestApplication({ clock, canDeliver: true });
  const sent = await sendTest(app, await makeChannel(app, receiver.url, { authorization: "Bearer x" }));
  await endOverPauses(app, clock, sent);
  expect([receiver.requests.length, thief.requests.length]).toEqual([3, 0]);
});

test("a redelivery is a new delivery of the same event, to the channel's current endpoint", async () => {
  await using former = await startReceiver();
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ clock: standing(), canDeliver: true });
  const task = await makeTask(app, "true");
  const channel = await makeChannel(app, former.url, { authorization: "Bearer former" });
  await assign(app, `tasks/${task.id}`, [[channel, true, false]]);
  const run = await endRun(app, task.id);
  const [first] = await listDeliveries(app);
  await untilDeliveryEnds(app, first);
  await app.call("PATCH", `/v1/notification-channels/${channel.id}`, { endpoint: receiver.url });
  await app.call("POST", `/v1/notification-channels/${channel.id}/rotate`, { authorization: "Bearer now" });
  const answer = await app.call("POST", `/v1/notification-deliveries/${first.id}/redeliver`);
  expect(answer.status).toBe(202);
  const again = await untilDeliveryEnds(app, answer.json);
  expect(again).toMatchObject({
    state: "succeeded",
    run_id: run.id,
    task_id: task.id,
    endpoint_summary: receiver.origin,
  });
  expect(again.id).not.toBe(first.id);
  expect(receiver.requests[0]!.headers).toMatchObject({ authorization: "Bearer now", "x-service-delivery": again.id });
  const body = JSON.parse(receiver.requests[0]!.body);
  expect(body).toEqual({ ...first.payload, delivery: { id: again.id, created_at: again.created_at } });
  expect(former.requests).toHaveLength(1);
});
