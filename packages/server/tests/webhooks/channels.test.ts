import { Hint } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { auditRowsOf, everything } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { openStream } from "../support/stream.ts";
import { type Json, startDaemon } from "../support/harness.ts";
import { makeGroup, makeTask } from "../support/tasks.ts";
import {
  assign,
  getDelivery,
  listDeliveries,
  makeChannel,
  sendTest,
  turnEventLoop,
  untilDeliveryEnds,
} from "../support/channels.ts";
import { startRawReceiver, startReceiver } from "../support/receiver.ts";
import { endRun } from "../support/runs.ts";

const path = "/v1/notification-channels";
const secret = `whsec_${Buffer.alloc(24, "s").toString("base64")}`;

test("a channel shows its endpoint by scheme and host, and that it has secrets, never their values", async () => {
  await using app = await openTestApplication();
  const body = {
    name: "On call",
    endpoint: "https://hooks.example.com:8443/services/planted?key=planted",
    authorization: "Bearer planted",
    signing_secret: secret,
  };
  const { status, text, json } = await app.call("POST", path, body);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^nch_[0-9A-Za-z]{20}$/),
    name: "On call",
    kind: "webhook",
    endpoint_summary: "https://hooks.example.com:8443",
    has_authorization: true,
    has_signing_secret: true,
    enabled: true,
    failing_since: null,
    consecutive_failures: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    revision: 1,
  });
  const list = await app.call("GET", path);
  expect(list.json).toEqual({ notification_channels: [json], next_cursor: null });
  for (const said of [text, list.text]) expect(said).not.toMatch(/planted|whsec/);
});

test.each([
  ["an authorization in a patch", "PATCH", { authorization: "x" }, "authorization", /rotate/],
  ["a signing secret in a patch", "PATCH", { signing_secret: secret }, "signing_secret", /rotate/],
  ["another kind", "POST", { name: "x", endpoint: "https://a.example", kind: "email" }, "kind", /read-only/],
  [
    "a name that is taken",
    "POST",
    { name: "TAKEN", endpoint: "https://a.example" },
    "name",
    /already exists: choose another name/,
  ],
  ["plain http to another machine", "POST", { name: "x", endpoint: "http://a.example/" }, "endpoint", /https/],
  ["a user in the endpoint", "PATCH", { endpoint: "https://u:p@a.example/" }, "endpoint", /authorization/],
  ["no endpoint", "POST", { name: "x" }, "endpoint", /required/],
  [
    "a line break in the authorization",
    "POST",
    { name: "x", endpoint: "https://a.example", authorization: "a\r\nHost: b" },
    "authorization",
    /printable/,
  ],
  [
    "a space after the authorization",
    "POST",
    { name: "x", endpoint: "https://a.example", authorization: "Bearer " },
    "authorization",
    /printable/,
  ],
  [
    "a signing secret that is too short",
    "POST",
    { name: "x", endpoint: "https://a.example", signing_secret: "whsec_AAAA" },
    "signing_secret",
    /24 to 64/,
  ],
  ["a rotation without a secret", "ROTATE", {}, null, /at least one/],
] as const)("%s is refused by the member's name, and changes nothing", async (_, method, body, field, message) => {
  await using app = await openTestApplication();
  const { id } = await makeChannel(app, "https://a.example/", { name: "taken" });
  const before = everything(app, ["audit_events"]);
  const at = method === "POST" ? path : `${path}/${id}${method === "ROTATE" ? "/rotate" : ""}`;
  const answer = await app.call(method === "ROTATE" ? "POST" : method, at, body);
  expect([answer.status, answer.json.error.code, answer.json.error.field]).toEqual([400, "validation_failed", field]);
  expect(answer.json.error.message).toMatch(message);
  expect(everything(app, ["audit_events"])).toEqual(before);
});

test("rotating replaces or clears the named secrets and keeps the others; the trail has the members, not the values", async () => {
  await using app = await openTestApplication();
  const { id } = await makeChannel(app, "https://a.example/", { authorization: "Bearer a" });
  const rotate = (body: object) => app.call("POST", `${path}/${id}/rotate`, body);
  const signed = await rotate({ signing_secret: secret });
  expect(signed.json).toMatchObject({ has_authorization: true, has_signing_secret: true, revision: 2 });
  expect(auditRowsOf(app, signed)).toMatchObject([{ changed_fields_json: '["signing_secret"]' }]);
  const cleared = await rotate({ authorization: null });
  expect(cleared.json).toMatchObject({ has_authorization: false, has_signing_secret: true, revision: 3 });
  const same = await rotate({ authorization: null, signing_secret: secret });
  expect(same.json.revision).toBe(3);
  expect(auditRowsOf(app, same)).toMatchObject([{ changed_fields_json: "[]" }]);
});

test("a patch with the same endpoint changes nothing, and a patch with another endpoint does", async () => {
  await using app = await openTestApplication();
  const { id } = await makeChannel(app, "https://a.example/x");
  const patch = (body: object) => app.call("PATCH", `${path}/${id}`, body);
  expect((await patch({ endpoint: "https://A.example:443/x" })).json.revision).toBe(1);
  const moved = await patch({ endpoint: "https://a.example/y" });
  expect(moved.json).toMatchObject({ revision: 2, endpoint_summary: "https://a.example" });
  expect(auditRowsOf(app, moved)).toMatchObject([{ changed_fields_json: '["endpoint"]' }]);
});

test("a queued delivery keeps its endpoint and secrets, whatever changes in the channel", async () => {
  await using former = await startReceiver();
  await using app = await openTestApplication();
  const channel = await makeChannel(app, former.url, { authorization: "Bearer former" });
  const sent = await sendTest(app, channel);
  await app.call("PATCH", `${path}/${channel.id}`, { endpoint: "https://elsewhere.example/", name: "Renamed" });
  await app.call("POST", `${path}/${channel.id}/rotate`, { authorization: "Bearer later" });
  await app.call("POST", `${path}/${channel.id}/disable`);
  app.inside.deliverer.start();
  expect(await untilDeliveryEnds(app, sent)).toMatchObject({ state: "succeeded", channel_name: channel.name });
  expect(former.requests[0]!.headers["authorization"]).toBe("Bearer former");
});

test("a disabled channel gets no new delivery from a run, a test or a redelivery", async () => {
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ canDeliver: true });
  const task = await makeTask(app, "true");
  const channel = await makeChannel(app, receiver.url);
  await assign(app, `tasks/${task.id}`, [[channel, true, true]]);
  const sent = await untilDeliveryEnds(app, await sendTest(app, channel));
  await app.call("POST", `${path}/${channel.id}/disable`);
  await endRun(app, task.id);
  for (const refused of [`${path}/${channel.id}/test`, `/v1/notification-deliveries/${sent.id}/redeliver`]) {
    const answer = await app.call("POST", refused);
    expect([answer.status, answer.json.error.code]).toEqual([409, "conflict"]);
    expect(answer.json.error.message).toContain("disabled");
  }
  expect(await listDeliveries(app)).toHaveLength(1);
  await app.call("POST", `${path}/${channel.id}/enable`);
  await endRun(app, task.id);
  expect(await listDeliveries(app)).toHaveLength(2);
});

test("deleting a channel deletes its assignments, its unfinished deliveries and its secrets, and keeps ended deliveries", async () => {
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ canDeliver: true });
  const group = await makeGroup(app);
  const task = await makeTask(app, "true", { group_id: group.id });
  const channel = await makeChannel(app, receiver.url, { authorization: "Bearer x", signing_secret: secret });
  const other = await makeChannel(app, receiver.url);
  await assign(app, `tasks/${task.id}`, [[channel, true, true]]);
  await assign(app, `groups/${group.id}`, [
    [other, true, false],
    [channel, false, true],
  ]);
  const ended = await untilDeliveryEnds(app, await sendTest(app, channel));
  await app.inside.deliverer.stop();
  const waiting = await sendTest(app, channel);
  expect((await app.call("DELETE", `${path}/${channel.id}`)).status).toBe(204);

  expect((await app.call("GET", `/v1/notification-deliveries/${waiting.id}`)).status).toBe(404);
  expect(await getDelivery(app, ended)).toEqual(ended);
  expect((await app.call("POST", `/v1/notification-deliveries/${ended.id}/redeliver`)).status).toBe(409);
  const own = await app.call("GET", `/v1/tasks/${task.id}/notifications`);
  expect(own.json).toEqual({ assignments: [], revision: 3 });
  const effective = await app.call("GET", `/v1/tasks/${task.id}/notifications/effective`);
  expect(effective.json).toEqual({
    source: { scope: "group", id: group.id, name: group.name },
    assignments: [{ channel_id: other.id, on_success: true, on_failure: false }],
  });
  expect(app.sqlite.prepare("SELECT count(*) FROM notification_channels").pluck().get()).toBe(1);
  expect(
    app.sqlite.prepare("SELECT count(*) FROM notification_deliveries WHERE target_sealed IS NOT NULL").pluck().get(),
  ).toBe(0);
});

test("an attempt in flight cannot bring a deleted channel's delivery back, and is aborted", async () => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver((socket) => void socket.on("data", () => {}));
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url);
  const sent = await sendTest(app, channel);
  await until("the attempt", () => receiver.open === 1);
  await app.call("DELETE", `${path}/${channel.id}`);
  await until("the end of the connection", () => receiver.open === 0);
  await clock.advance(60_000);
  await turnEventLoop();
  expect((await app.call("GET", `/v1/notification-deliveries/${sent.id}`)).status).toBe(404);
  expect(await listDeliveries(app)).toEqual([]);
  expect(receiver.connections).toBe(1);
});

test("deliveries are filtered by channel, task, run and state, alone and together, page by page", async () => {
  await using app = await openTestApplication();
  const [one, two] = [await makeTask(app, "true"), await makeTask(app, "true")];
  const [a, b] = [await makeChannel(app, "http://127.0.0.1:9/"), await makeChannel(app, "http://127.0.0.1:9/")];
  for (const task of [one, two])
    await assign(app, `tasks/${task.id}`, [
      [a, true, true],
      [b, false, true],
    ]);
  const run = await endRun(app, one.id);
  await endRun(app, one.id, { exitCode: 1 });
  await endRun(app, two.id, { exitCode: 1 });
  const count = async (query: string) => (await listDeliveries(app, query)).length;
  expect(await count("")).toBe(5);
  expect(await count(`channel_id=${a.id}`)).toBe(3);
  expect(await count(`task_id=${one.id}`)).toBe(3);
  expect(await count(`run_id=${run.id}`)).toBe(1);
  expect(await count("state=pending")).toBe(5);
  expect(await count("state=failed")).toBe(0);
  expect(await count(`channel_id=${b.id}&task_id=${two.id}&state=pending`)).toBe(1);
  expect((await app.call("GET", "/v1/notification-deliveries?state=lost")).status).toBe(400);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { json } = await app.call("GET", `/v1/notification-deliveries?limit=2${more}`);
    seen.push(...json.notification_deliveries.map(({ id }: { id: string }) => id));
    cursor = json.next_cursor as string | null;
  }
  expect(new Set(seen).size).toBe(5);
});

test("channels, assignments and deliveries publish one event per change, in the order of the changes", async () => {
  await using receiver = await startReceiver();
  // the clock stands still, so that the attempt has all the time that it needs
  await using daemon = await startDaemon({ clock: new ManualClock(new Date().toISOString()) });
  const kinds = "notification_channel,notification_assignment,notification_delivery";
  await using stream = await openStream(daemon.socketPath, `/v1/events?kinds=${kinds}`);
  const task = await makeTask(daemon, "true");
  const channel = await makeChannel(daemon, receiver.url);
  await assign(daemon, `tasks/${task.id}`, [[channel, true, true]]);
  const sent = await untilDeliveryEnds(daemon, await sendTest(daemon, channel));
  await daemon.call("POST", `${path}/${channel.id}/disable`);
  await daemon.call("DELETE", `${path}/${channel.id}`);
  const events = () => stream.frames.slice(1).map(({ data }) => data);
  await until("the last event", () =>
    events().some(({ kind, verb }) => kind === "notification_channel" && verb === "deleted"),
  );
  for (const hint of events()) expect(Hint.parse(hint)).toEqual(hint);
  const inShort = events().map(({ kind, verb, id }) => [kind.slice("notification_".length), verb, id]);
  expect(inShort).toEqual([
    ["channel", "created", channel.id],
    ["assignment", "updated", task.id],
    ["delivery", "created", sent.id],
    ["delivery", "updated", sent.id],
    ["delivery", "updated", sent.id],
    ["channel", "updated", channel.id],
    ["assignment", "updated", task.id],
    ["channel", "deleted", channel.id],
  ]);
});

test("the tasks and groups that notify a channel are listed, page by page, with their groups", async () => {
  await using app = await openTestApplication();
  const ops = await makeChannel(app, "https://hooks.example.com/a");
  const chat = await makeChannel(app, "https://hooks.example.com/b");
  const outer = await makeGroup(app, { name: "Outer" });
  const inner = await makeGroup(app, { name: "Inner", parent_id: outer.id });
  const tasks = [];
  for (const name of ["One", "Two", "Three"]) {
    const task = await makeTask(app, "true", { name, group_id: inner.id });
    await assign(app, `tasks/${task.id}`, [[ops, name === "One", true]]);
    tasks.push({
      scope: "task",
      id: task.id,
      name,
      group_path: "Outer/Inner",
      on_success: name === "One",
      on_failure: true,
    });
  }
  const free = await makeTask(app, "true", { name: "Free" });
  await assign(app, `tasks/${free.id}`, [[chat, true, true]]);
  await assign(app, `groups/${inner.id}`, [
    [chat, true, false],
    [ops, true, false],
  ]);
  const own = (of: Json) => `${path}/${of.id}/assignments`;
  const groups = [
    { scope: "group", id: inner.id, name: "Inner", group_path: "Outer", on_success: true, on_failure: false },
  ];
  const all = [...tasks, ...groups].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect((await app.call("GET", own(ops))).json).toEqual({ assignments: all, next_cursor: null });

  const read: Json[] = [];
  let next: string | null = "";
  while (next !== null) {
    const { json } = await app.call("GET", `${own(ops)}?limit=1${next === "" ? "" : `&cursor=${next}`}`);
    expect(json.assignments).toHaveLength(1);
    read.push(...json.assignments);
    next = json.next_cursor;
  }
  expect(read).toEqual(all);
  const first = (await app.call("GET", `${own(ops)}?limit=1`)).json.next_cursor;
  expect(await app.call("GET", `${own(chat)}?cursor=${first}`)).toMatchObject({
    status: 400,
    json: { error: { code: "validation_failed", field: "cursor" } },
  });

  await app.call("DELETE", `/v1/tasks/${tasks[0]!.id}`);
  await assign(app, `groups/${inner.id}`, []);
  expect((await app.call("GET", own(ops))).json.assignments.map(({ name }: Json) => name).toSorted()).toEqual([
    "Three",
    "Two",
  ]);
  await app.call("DELETE", `${path}/${ops.id}`);
  expect((await app.call("GET", own(ops))).status).toBe(404);
});
