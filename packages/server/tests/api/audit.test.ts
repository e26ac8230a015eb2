import { limits } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createLog } from "../../src/index.ts";
import { type Json, startDaemon } from "../support/harness.ts";
import { expectCommonHeaders, linesOf } from "../support/call.ts";
import { auditRowsOf, fresh, makeGroup, makeTask, missing, query } from "../support/api.ts";
import { finishHousekeeping } from "../support/rounds.ts";
import { openTestApplication } from "../support/application.ts";

/** RFC 8785 for any JSON value without fractions: independent of the daemon's own implementation. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

test("a reader of the trail can verify the whole chain from the answers alone", async () => {
  await using daemon = await openTestApplication();
  for (let count = 0; count < 30; count++) {
    const task = await makeTask(daemon, { name: fresh('name "with\\ quotes" und Ümläuten \u2028') });
    await daemon.call("PATCH", `/v1/tasks/${task.id}`, { priority: 1, environment: { A: "b" }, labels: { z: "1" } });
    await daemon.call("POST", "/v1/tasks", { name: task.name });
    await daemon.call("GET", `/v1/tasks/${task.id}/environment`);
    await daemon.call("DELETE", `/v1/tasks/%22%7F${count}`);
  }
  const { json } = await daemon.call("GET", "/v1/audit?limit=1000");
  expect(json.audit_events).toHaveLength(150);
  const byPrevious = new Map<string | null, Json>(json.audit_events.map((event: Json) => [event.previous_hash, event]));
  let previous: string | null = null;
  for (let count = 0; count < 150; count++) {
    const { hash, previous_hash, ...rest } = byPrevious.get(previous);
    const expected: string = createHash("sha256")
      .update(previous_hash ?? "")
      .update(canonical(rest))
      .digest("hex");
    expect(hash).toBe(expected);
    previous = hash;
  }
  const [newest] = query<{ hash: string }>(daemon, "SELECT hash FROM audit_events ORDER BY number DESC LIMIT 1");
  expect(newest?.hash).toBe(previous);
});

test("rows of the same millisecond are listed in the order of the chain, on every page", async () => {
  await using daemon = await openTestApplication({ clock: new ManualClock() });
  for (let count = 0; count < 40; count++) await makeGroup(daemon);
  const events: Json[] = [];
  for (let cursor = ""; ;) {
    const { json } = await daemon.call("GET", `/v1/audit?operation=groups.create&limit=7${cursor}`);
    events.push(...json.audit_events);
    if (json.next_cursor === null) break;
    cursor = `&cursor=${json.next_cursor}`;
  }
  expect(new Set(events.map(({ at }) => at)).size).toBe(1);
  expect(events).toHaveLength(40);
  expect(events.slice(0, -1).map((event) => event.previous_hash)).toEqual(events.slice(1).map((event) => event.hash));
});

test("a row names the actor, operation, transport, request and changed members, never their values", async () => {
  const clock = new ManualClock("2026-11-21T01:18:00.123Z");
  await using daemon = await openTestApplication({ clock });
  const task = await makeTask(daemon, { environment: { A: "1" }, labels: { a: "1" } });
  const patch = {
    name: "Renamed",
    description: null,
    environment: { A: "2" },
    standard_input: "x",
    labels: { a: null },
    priority: 0,
  };
  const answer = await daemon.call("PATCH", `/v1/tasks/${task.id}`, patch);
  const { json } = await daemon.call("GET", "/v1/audit?operation=tasks.update");
  expect(json.audit_events[0]).toEqual({
    id: expect.stringMatching(/^aud_/),
    at: "2026-11-21T01:18:00.123Z",
    actor_id: expect.stringMatching(/^act_/),
    actor_name: "local",
    transport: "local",
    operation: "tasks.update",
    resource_type: "task",
    resource_id: task.id,
    result: "allowed",
    error_code: null,
    request_id: answer.headers["x-request-id"],
    changed_fields: ["environment", "labels", "name", "standard_input"],
    previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("the row of a create names the created resource, and the row of a refusal the addressed resource", async () => {
  await using daemon = await openTestApplication();
  const made = await daemon.call("POST", "/v1/groups", { name: "made" });
  expect(auditRowsOf(daemon, made)).toMatchObject([{ resource_id: made.json.id, result: "allowed" }]);
  const refused = await daemon.call("POST", "/v1/groups", { name: "made" });
  expect(auditRowsOf(daemon, refused)).toMatchObject([
    { resource_id: null, result: "failed", error_code: "validation_failed" },
  ]);
  const gone = await daemon.call("POST", `/v1/groups/${missing.group}/disable`);
  expect(auditRowsOf(daemon, gone)).toMatchObject([
    { resource_id: missing.group, result: "failed", error_code: "not_found" },
  ]);
  const unread = await daemon.call("PATCH", `/v1/groups/${missing.group}`, { surprise: 1 });
  expect(auditRowsOf(daemon, unread)).toMatchObject([
    { resource_id: missing.group, result: "failed", error_code: "validation_failed" },
  ]);
});

test("a reveal leaves a row, a plain read none, and a change without effect a row without members", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon, { environment: { A: "1" } });
  const reveal = await daemon.call("GET", `/v1/tasks/${task.id}/environment`);
  expect(auditRowsOf(daemon, reveal)).toMatchObject([
    { operation: "tasks.environment", result: "allowed", changed_fields_json: "[]" },
  ]);
  for (const path of ["", "/why"])
    expect(auditRowsOf(daemon, await daemon.call("GET", `/v1/tasks/${task.id}${path}`))).toEqual([]);
  const same = await daemon.call("PATCH", `/v1/tasks/${task.id}`, { environment: { A: "1" }, priority: 0 });
  expect(auditRowsOf(daemon, same)).toMatchObject([
    { operation: "tasks.update", result: "allowed", changed_fields_json: "[]" },
  ]);
});

test("filters by actor, operation, result and time match exactly their rows", async () => {
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  await using daemon = await openTestApplication({ clock });
  const group = await makeGroup(daemon);
  await clock.advance(1_000);
  await daemon.call("POST", `/v1/groups/${group.id}/disable`);
  await clock.advance(1_000);
  await daemon.call("DELETE", `/v1/groups/${missing.group}`);
  const list = async (filters: string) => {
    const { json } = await daemon.call("GET", `/v1/audit?${filters}`);
    return json.audit_events.map((event: Json) => event.operation);
  };
  expect(await list("")).toEqual(["groups.delete", "groups.disable", "groups.create"]);
  expect(await list("operation=groups.disable")).toEqual(["groups.disable"]);
  expect(await list(`resource_id=${group.id}`)).toEqual(["groups.disable", "groups.create"]);
  expect(await list(`resource_id=${missing.group}&result=failed`)).toEqual(["groups.delete"]);
  expect(await list(`resource_id=${missing.task}`)).toEqual([]);
  expect(await list("result=failed")).toEqual(["groups.delete"]);
  expect(await list("result=denied")).toEqual([]);
  expect(await list("since=2026-01-01T00:00:01Z")).toEqual(["groups.delete", "groups.disable"]);
  expect(await list("until=2026-01-01T00:00:01Z")).toEqual(["groups.create"]);
  expect(await list("since=2026-01-01T02:00:01%2B02:00&until=2026-01-01T00:00:02Z")).toEqual(["groups.disable"]);
  const [{ actor_id: actor }] = query<{ actor_id: string }>(daemon, "SELECT actor_id FROM audit_events") as [
    { actor_id: string },
  ];
  expect(await list(`actor_id=${actor}`)).toHaveLength(3);
  expect(await list("actor_id=act_00000000000000000000")).toEqual([]);
  for (const [filter, field] of [
    ["result=maybe", "result"],
    ["since=yesterday", "since"],
    ["until=2026-13-01T00:00:00Z", "until"],
    ["operation=", "operation"],
  ]) {
    const answer = await daemon.call("GET", `/v1/audit?${filter}`);
    expect([answer.status, answer.json.error.field]).toEqual([400, field]);
  }
});

test("the list returns 100 rows by default, and its pages return every row once while rows are added", async () => {
  await using daemon = await openTestApplication();
  for (let count = 0; count < 130; count++) await daemon.call("DELETE", `/v1/groups/${missing.group}`);
  const first = await daemon.call("GET", "/v1/audit");
  expect(first.json.audit_events).toHaveLength(limits.listDefault);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { json }: Json = await daemon.call("GET", `/v1/audit?limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`);
    seen.push(...json.audit_events.map((event: Json) => event.id));
    cursor = json.next_cursor;
    await daemon.call("DELETE", `/v1/groups/${missing.group}`);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(130);
});

test("each start logs the newest hash", async () => {
  const lines: Json[] = [];
  const clock = new ManualClock();
  const log = createLog(clock, "info", [(entry) => void lines.push({ event: entry.event, ...entry.fields })]);
  await using daemon = await startDaemon({ clock, log });
  await makeGroup(daemon);
  await daemon.stop();
  await using again = await startDaemon({ clock, log, dataDir: daemon.dataDir });
  const [newest] = query<{ hash: string }>(again, "SELECT hash FROM audit_events ORDER BY number DESC LIMIT 1");
  const heads = lines.filter(({ event }) => event === "daemon.started").map(({ audit_head: head }) => head);
  expect(heads).toEqual([undefined, newest!.hash]);
});

test("an export has the rows of the list, one per line, and X-Next-Cursor until its last page", async () => {
  await using daemon = await startDaemon();
  for (let count = 0; count < 25; count++) await daemon.call("POST", "/v1/groups", { name: `Group ${count} \u2028` });
  const { json: listed } = await daemon.call("GET", "/v1/audit");
  const exported: Json[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const path: string = `/v1/audit/export?operation=groups.create&limit=10${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const answer = await daemon.call("GET", path);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    expectCommonHeaders(answer);
    exported.push(...linesOf(answer));
    expect(auditRowsOf(daemon, answer)).toMatchObject([{ operation: "audit.export", result: "allowed" }]);
    cursor = answer.headers["x-next-cursor"] as string | undefined;
  }
  expect(exported).toEqual(listed.audit_events);
  const head = await daemon.call("HEAD", "/v1/audit/export?limit=1");
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", "application/x-ndjson"]);
  expect(head.headers["x-next-cursor"]).toMatch(/./);
  const none = await daemon.call("GET", "/v1/audit/export?result=denied");
  expect([none.status, none.text, none.headers["x-next-cursor"]]).toEqual([200, "", undefined]);
  // a cursor belongs to its operation and filters
  const cursor = String(head.headers["x-next-cursor"]);
  expect((await daemon.call("GET", `/v1/audit?limit=1&cursor=${cursor}`)).json.error.field).toBe("cursor");
  expect((await daemon.call("GET", `/v1/audit/export?result=failed&cursor=${cursor}`)).json.error.field).toBe("cursor");
});

test("the chain shows both ends: none in the beginning, then the newest row and the last pruned one", async () => {
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  await using daemon = await openTestApplication({ clock, auditKept: 0 });
  const chain = async () => (await daemon.call("GET", "/v1/audit/chain")).json;
  const since = { authenticated_since: "2026-01-01T00:00:00.000Z", tampered_at: null };
  expect(await chain()).toEqual({ head: null, anchor: null, ...since });
  await makeGroup(daemon);
  const [{ hash }] = query<{ hash: string }>(daemon, "SELECT hash FROM audit_events") as [{ hash: string }];
  expect(await chain()).toEqual({ head: { number: 1, hash }, anchor: null, ...since });
  for (let count = 0; count < 999; count++) await daemon.call("DELETE", `/v1/groups/${missing.group}`);
  const pruned = await chain();
  expect(pruned).toEqual({ head: { number: 1_000, hash: pruned.head.hash }, anchor: pruned.head, ...since });
});

test("the head is logged at each start, and once a day", async () => {
  const lines: Json[] = [];
  const clock = new ManualClock();
  const log = createLog(clock, "info", [(entry) => void lines.push({ event: entry.event, ...entry.fields })]);
  const heads = () => lines.filter(({ event }) => event === "audit.head").map(({ number }) => number as number);
  await using daemon = await startDaemon({ clock, log });
  await makeGroup(daemon);
  await finishHousekeeping(daemon, clock, 60_000);
  for (let hour = 1; hour < 24; hour++) await finishHousekeeping(daemon, clock, 3_600_000);
  expect(heads()).toEqual([1]);
  await makeGroup(daemon);
  await daemon.stop();
  await using _again = await startDaemon({ clock, log, dataDir: daemon.dataDir });
  expect(heads()).toEqual([1, 2]);
});
