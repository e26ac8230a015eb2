import { catalogue } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePaths } from "../../src/kernel/files/paths.ts";
import { auditRowsOf, endOf, makeTask, makeTrigger, query } from "../support/api.ts";
import { fireOn, openFolder, startWithFireSocket } from "../support/fire-socket.ts";
import { callSocket, startDaemon } from "../support/harness.ts";
import { exchange } from "../support/raw.ts";
import { countRuns, fire } from "../support/triggers.ts";

/** A socket whose program was killed. */
function leaveStaleSocket(path: string): void {
  const program = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  expect(spawnSync(process.execPath, ["-e", program]).signal).toBe("SIGKILL");
}

const unknownKey = "bfk_9sLq2XvT_kV7nRw4ZpYb1cJ0hFtMd8uG3eQx6aSoi";

test("a key fires its trigger on the socket for fires, and the audit trail names the trigger as the caller", async () => {
  await using daemon = await startWithFireSocket();
  const { trigger, key } = await makeTrigger(daemon, { name: "Deploy from CI" });
  const fired = await daemon.fire(key);
  expect([fired.status, fired.json]).toEqual([
    202,
    { run_id: expect.any(String), task_id: trigger.target_task_id, trigger_id: trigger.id, state: "queued" },
  ]);
  expect(await endOf(daemon, fired.json.run_id)).toMatchObject({ state: "succeeded", source_trigger_id: trigger.id });
  expect(fired.headers).toMatchObject({ connection: "close", "cache-control": "no-store" });
  expect(auditRowsOf(daemon, fired)).toMatchObject([
    {
      actor_id: trigger.id,
      actor_name: "Deploy from CI",
      transport: "local",
      operation: "triggers.fire",
      resource_id: trigger.id,
      result: "allowed",
    },
  ]);
});

test("every other route and method is the same 404, which does not say what exists", async () => {
  await using daemon = await startWithFireSocket();
  const { key } = await makeTrigger(daemon);
  const routes = catalogue.map(
    ({ method, path }) => [method.toUpperCase(), `/v1${path.replace("{id}", "x")}`] as const,
  );
  const others: readonly (readonly [method: string, path: string])[] = [
    ...routes.filter(([, path]) => path !== "/v1/triggers/fire"),
    ...["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].map((method) => [method, "/v1/triggers/fire"] as const),
    ["POST", "/"],
    ["POST", "/api/v1/triggers/fire"],
    ["POST", "/v1/triggers/fire/"],
    ["POST", "/V1/triggers/fire"],
    ["POST", `/v1/triggers/${unknownKey}`],
    ["POST", "/v1/triggers%2Ffire"],
    ["GET", "/nowhere"],
  ];
  expect(others.length).toBeGreaterThan(100);
  for (const [method, path] of others) {
    const body = ["POST", "PUT", "PATCH"].includes(method) ? { key } : undefined;
    const answer = await callSocket(daemon.path, { method, path, body });
    expect([method, path, answer.status]).toEqual([method, path, 404]);
    expect(answer.json).toEqual({
      error: {
        code: "not_found",
        field: null,
        message:
          "this socket only fires triggers, with POST /v1/triggers/fire: use the daemon's own socket for everything else",
      },
    });
    expect(answer.headers["allow"]).toBeUndefined();
  }
  const head = "HEAD /v1/triggers/fire HTTP/1.1\r\nHost: x\r\n\r\n";
  expect((await exchange(daemon.path, head, { isHead: true })).status).toBe(404);
  expect(await exchangeOrClose(daemon.path, "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n")).toBe(null);
});

/** The status of the answer; null if the connection was closed without one. */
async function exchangeOrClose(path: string, bytes: string): Promise<number | null> {
  try {
    return (await exchange(path, bytes)).status;
  } catch {
    return null;
  }
}

test("an unknown key is always `trigger_unknown`, also after a rotation, and leaves no audit row", async () => {
  await using daemon = await startWithFireSocket();
  const { trigger, key } = await makeTrigger(daemon);
  await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`);
  const local = await fire(daemon, unknownKey);
  const before = query<{ n: number }>(daemon, "SELECT count(*) AS n FROM audit_events")[0]!.n;
  for (const guess of [unknownKey, key, "x", "x".repeat(200), "ключ", `${key} `]) {
    const answer = await daemon.fire(guess);
    expect([answer.status, answer.json]).toEqual([404, local.json]);
  }
  expect(query(daemon, "SELECT count(*) AS n FROM audit_events")).toEqual([{ n: before }]);
});

test("after 60 guesses each answer to an unknown key waits, and a valid key does not", async () => {
  const clock = new ManualClock();
  await using daemon = await startWithFireSocket({ clock });
  const { trigger, key } = await makeTrigger(daemon, {}, { concurrency: { limit: 1, on_conflict: "skip" } });
  for (let guess = 0; guess < 60; guess++) expect((await daemon.fire(unknownKey)).status).toBe(404);
  let answered = 0;
  const waiting = Array.from({ length: 20 }, () => daemon.fire(unknownKey).finally(() => answered++));
  for (let fires = 0; fires < 20; fires++) expect((await daemon.fire(key)).status).toBe(202);
  expect([answered, countRuns(daemon, trigger.id)]).toEqual([0, 20]);
  const late = Promise.all(waiting);
  await until("the answers", async () => {
    await clock.advance(250);
    return answered === waiting.length;
  });
  expect(new Set((await late).map(({ json }) => json.error.code))).toEqual(new Set(["trigger_unknown"]));
});

test("a valid key gets the contract's codes, and its refusals are audited", async () => {
  await using daemon = await startWithFireSocket();
  const { trigger, key } = await makeTrigger(daemon);
  const task = `/v1/tasks/${trigger.target_task_id}`;
  const steps = [
    ["trigger_disabled", 409, () => daemon.call("POST", `/v1/triggers/${trigger.id}/disable`)],
    [
      "trigger_task_disabled",
      409,
      async () => {
        await daemon.call("POST", `/v1/triggers/${trigger.id}/enable`);
        return daemon.call("POST", `${task}/disable`);
      },
    ],
    ["trigger_target_missing", 409, () => daemon.call("DELETE", task)],
  ] as const;
  for (const [code, status, step] of steps) {
    expect((await step()).status).toBeLessThan(300);
    const answer = await daemon.fire(key);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(auditRowsOf(daemon, answer)).toMatchObject([
      { actor_id: trigger.id, resource_id: trigger.id, result: "failed", error_code: code },
    ]);
  }
});

test("a request that is not a fire is refused by its form, before any key is looked up", async () => {
  await using daemon = await startWithFireSocket();
  const { trigger, key } = await makeTrigger(daemon);
  const send = (body: string, headers: Record<string, string> = {}) =>
    callSocket(daemon.path, { method: "POST", path: "/v1/triggers/fire", body, headers });
  const text = JSON.stringify({ key });
  const refusals = [
    [await send(""), 400],
    [await send("{"), 400],
    [await send(JSON.stringify({ key, more: 1 })), 400],
    [await send(JSON.stringify({ key: "x".repeat(201) })), 400],
    [await send(text, { "content-type": "text/plain" }), 415],
    [await send(text, { "content-encoding": "gzip" }), 415],
    [await send(text, { origin: "http://localhost" }), 403],
    [await send(text, { "idempotency-key": key }), 400],
    [await send(" ".repeat(4_097)), 413],
    [await send(text, { "x-long": "x".repeat(9_000) }), 431],
    [await callSocket(daemon.path, { method: "POST", path: "/v1/triggers/fire?key=1", body: { key } }), 400],
  ] as const;
  expect(refusals.map(([{ status }]) => status)).toEqual(refusals.map(([, status]) => status));
  for (const [{ text: answer }] of refusals) expect(answer).not.toContain(key.slice(13));
  expect(countRuns(daemon, trigger.id)).toBe(0);
  // every character of the longest key may be escaped
  const escaped = [...key].map((one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  expect((await send(`{"key":"${escaped}"}`)).status).toBe(202);
});

test("an Idempotency-Key belongs to the trigger: another trigger, and the daemon's own socket, may use the same one", async () => {
  await using daemon = await startWithFireSocket();
  const task = await makeTask(daemon, { concurrency: { limit: 9 } });
  const make = async (name: string) =>
    (await daemon.call("POST", "/v1/triggers", { name, target_task_id: task.id })).json;
  const [one, other] = [await make("one"), await make("other")];
  const headers = { "idempotency-key": "nightly" };
  const first = await daemon.fire(one.key, headers);
  const again = await daemon.fire(one.key, headers);
  expect([again.status, again.json.run_id, again.headers["idempotent-replay"]]).toEqual([
    202,
    first.json.run_id,
    "true",
  ]);
  const second = await daemon.fire(other.key, headers);
  const own = await fire(daemon, one.key, headers);
  expect([second.status, own.status]).toEqual([202, 202]);
  expect(new Set([first, second, own].map(({ json }) => json.run_id)).size).toBe(3);
  expect([countRuns(daemon, one.trigger.id), countRuns(daemon, other.trigger.id)]).toEqual([2, 1]);
  await daemon.call("POST", `/v1/triggers/${one.trigger.id}/rotate`);
  expect((await daemon.fire(one.key, headers)).json.error.code).toBe("trigger_unknown");
});

test("of pipelined fires only the first has an effect, and a half-closed one is answered", async () => {
  await using daemon = await startWithFireSocket();
  const { trigger, key } = await makeTrigger(daemon, {}, { concurrency: { limit: 99 } });
  const body = JSON.stringify({ key });
  const request = `POST /v1/triggers/fire HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  expect((await exchange(daemon.path, request.repeat(50))).status).toBe(202);
  expect(countRuns(daemon, trigger.id)).toBe(1);
  const halfClosed = new Promise<string>((resolve, reject) => {
    const socket = connect({ path: daemon.path, allowHalfOpen: true });
    let received = "";
    socket.setEncoding("utf8").on("data", (part: string) => (received += part));
    socket.on("end", () => resolve(received)).on("error", reject);
    socket.end(request);
  });
  expect(await halfClosed).toMatch(/^HTTP\/1\.1 202 /);
  expect(countRuns(daemon, trigger.id)).toBe(2);
});

test("the socket has the mode and the group of the configuration, and the generated commands name it", async () => {
  const group = String(process.getgid!());
  await using daemon = await startWithFireSocket({ fire: { mode: "0666", group } });
  const found = lstatSync(daemon.path);
  expect([found.isSocket(), (found.mode & 0o777).toString(8), String(found.gid)]).toEqual([true, "666", group]);
  expect((await daemon.call("GET", "/v1/runtime-info")).json.fire_socket).toEqual({
    path: daemon.path,
    mode: "0666",
    group,
  });
  const { trigger, command } = await makeTrigger(daemon);
  const commands = [command, (await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`)).json.command];
  for (const each of commands) {
    expect(each).toContain(`--unix-socket '${daemon.path}'`);
    expect(each).not.toContain(daemon.socketPath);
  }
});

test("the socket is created again if it is removed, and it is removed when the daemon stops", async () => {
  await using daemon = await startWithFireSocket();
  const { key } = await makeTrigger(daemon, {}, { concurrency: { limit: 9 } });
  rmSync(daemon.path);
  await until("the socket", () => existsSync(daemon.path));
  expect((lstatSync(daemon.path).mode & 0o777).toString(8)).toBe("660");
  expect((await daemon.fire(key)).status).toBe(202);
  rmSync(daemon.path);
  chmodSync(daemon.folder, 0o777);
  const faults = async () => (await daemon.call("GET", "/v1/runtime-info")).json.storage_faults;
  await until("the fault", async () => (await faults()).length > 0);
  expect(await faults()).toMatchObject([{ path: daemon.path, message: expect.stringContaining("is not safe") }]);
  expect(existsSync(daemon.path)).toBe(false);
  chmodSync(daemon.folder, 0o755);
  await until("the end of the fault", async () => (await faults()).length === 0);
  expect((await daemon.fire(key)).status).toBe(202);
  await daemon.stop();
  expect(existsSync(daemon.path)).toBe(false);
});

/** The message with which a daemon refuses to start with this socket; null if it starts. */
async function refusalOf(
  path: string,
  dataDir: string,
  more: { readonly group?: string } = {},
): Promise<string | null> {
  try {
    const fireSocket = { path, mode: "0660", group: null, ...more } as const;
    await using daemon = await startDaemon({ dataDir, config: { fireSocket } });
    expect((await fireOn(path, unknownKey)).status).toBe(404);
    void daemon;
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test("a socket where another user could replace it, or reach the data directory, is refused with a sentence", async () => {
  await using dir = await openFolder();
  const at = (...names: readonly string[]) => join(dir.path, ...names);
  const dataDir = at("data");
  const { socket } = choosePaths({ dataDir, socket: null, config: null, runtimeDir: null, isRoot: false });
  mkdirSync(dataDir);
  for (const [name, mode] of [
    ["open", 0o777],
    ["sticky", 0o1777],
    ["group", 0o775],
    ["above", 0o777],
  ] as const) {
    mkdirSync(at(name));
    chmodSync(at(name), mode);
  }
  mkdirSync(at("above", "private"));
  mkdirSync(at("data", "log"));
  symlinkSync(dataDir, at("link"));
  symlinkSync(at("data", "log"), at("deep-link"));
  writeFileSync(at("file"), "");
  const refusals = [
    [at("missing", "s"), /the directory .*missing of triggers\.socket does not exist: create it/],
    [at("file", "s"), /is not in a directory/],
    [at("open", "s"), /is not safe: other users can write in .*open \(mode 0777\)/],
    [at("sticky", "s"), /is not safe: other users can write in .*sticky \(mode 1777\)/],
    [at("group", "s"), /is not safe: other users can write in .*group \(mode 0775\)/],
    [at("above", "private", "s"), /is not safe: other users can write in .*above \(mode 0777\)/],
    [at("data", "s"), /is inside the data directory/],
    [at("data", "log", "s"), /is inside the data directory/],
    [at("link", "s"), /is inside the data directory/],
    [at("deep-link", "s"), /is inside the data directory/],
    [at("x".repeat(120)), /is too long/],
    [socket, /is inside the data directory/],
  ] as const;
  for (const [path, expected] of refusals) expect(await refusalOf(path, dataDir), path).toMatch(expected);
  expect(await refusalOf(at("s"), dataDir, { group: "no-such-group" })).toMatch(
    /"no-such-group" is not in \/etc\/group/,
  );
  expect(existsSync(at("s"))).toBe(false);
  expect(await refusalOf(at("s"), dataDir)).toBeNull();
});

test("only a socket that nobody listens on is removed: no file, no directory, no link, and no socket of a program", async () => {
  await using dir = await openFolder();
  const at = (name: string) => join(dir.path, name);
  mkdirSync(at("data"));
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "kept");
  const listening = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listening.listen(at("live"), resolve));
  leaveStaleSocket(at("stale"));
  symlinkSync(at("file"), at("to-file"));
  symlinkSync(at("stale"), at("to-stale"));
  symlinkSync(at("nowhere"), at("to-nowhere"));
  const inodes = () =>
    ["folder", "file", "live", "stale", "to-file", "to-stale", "to-nowhere"].map((name) => lstatSync(at(name)).ino);
  const before = inodes();
  for (const name of ["folder", "file", "to-file", "to-stale", "to-nowhere"])
    expect(await refusalOf(at(name), at("data")), name).toMatch(/exists but is not a socket: move the file away/);
  expect(await refusalOf(at("live"), at("data"))).toMatch(/another program, such as a second daemon, is listening/);
  expect(inodes()).toEqual(before);
  expect(await refusalOf(at("stale"), at("data"))).toBeNull();
  await new Promise((resolve) => listening.close(resolve));
});

test("the socket is off unless it is configured", async () => {
  await using daemon = await startDaemon();
  const { command } = await makeTrigger(daemon);
  expect(command).toContain(daemon.socketPath);
  expect((await daemon.call("GET", "/v1/runtime-info")).json).not.toHaveProperty("fire_socket");
});
