import { FilesystemWatcher } from "@belfry/contract";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Harness, type Json, startDaemon } from "../support/harness.ts";
import { everything, fresh, makeGroup, makeTask, makeWatcher, query } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";

let daemon: Harness;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const path = "/missing/inbox";
const get = async (id: string): Promise<Json> => (await daemon.call("GET", `/v1/filesystem-watchers/${id}`)).json;
const patch = (id: string, body: object): Promise<Answer> =>
  daemon.call("PATCH", `/v1/filesystem-watchers/${id}`, body);
async function patched(id: string, body: object): Promise<Json> {
  const { status, json, text } = await patch(id, body);
  expect(status, text).toBe(200);
  return json;
}
async function create(body: object): Promise<Answer> {
  const target_task_id = (await makeTask(daemon)).id as string;
  return daemon.call("POST", "/v1/filesystem-watchers", { name: fresh("watcher"), target_task_id, ...body });
}

/** A refused call changes no row of any table except the audit trail. Returns the error's message. */
async function expectNoTrace(field: string, call: () => Promise<Answer>): Promise<string> {
  const before = everything(daemon, ["audit_events", "tasks"]);
  const answer = await call();
  expectRefusal(answer, "validation_failed", field);
  expect(everything(daemon, ["audit_events", "tasks"])).toEqual(before);
  return answer.json.error.message as string;
}

/** Which observation a watcher is in: state that was kept of a former one is obsolete. */
function observationOf(id: string): number {
  const rows = query<{ observation: number }>(daemon, "SELECT observation FROM filesystem_watchers WHERE id = ?", id);
  return rows[0]!.observation;
}

describe("a watcher", () => {
  test("of a directory is created with its defaults", async () => {
    const task = await makeTask(daemon);
    const watcher = (await create({ kind: "directory", path, target_task_id: task.id })).json;
    expect(watcher).toEqual({
      id: expect.stringMatching(/^wch_[0-9A-Za-z]{20}$/),
      name: expect.any(String),
      kind: "directory",
      path,
      pattern: "*",
      recursive: false,
      debounce: "500ms",
      stability: "1s",
      max_wait: "1m",
      on_start: "scan",
      target_task_id: task.id,
      target_task_name: task.name,
      enabled: true,
      health: { state: expect.any(String), reason: expect.any(String), since: expect.stringMatching(/Z$/) },
      readiness: "ready",
      reason: "ready",
      created_at: expect.stringMatching(/Z$/),
      updated_at: watcher.created_at,
      revision: 1,
    });
    expect(FilesystemWatcher.parse(watcher)).toEqual(watcher);
    expect({ ...(await get(watcher.id)), health: null }).toEqual({ ...watcher, health: null });
  });

  test("of a file has no pattern", async () => {
    const watcher = (await create({ kind: "file", path: "/missing/file", recursive: false })).json;
    expect(watcher).toMatchObject({ kind: "file", path: "/missing/file", recursive: false });
    expect(watcher).not.toHaveProperty("pattern");
  });

  test("waits at most a minute by default, or as long as debounce and stability take together", async () => {
    const long = await makeWatcher(daemon, { debounce: "40s", stability: "50s" });
    expect(long.max_wait).toBe("90s");
    expect((await makeWatcher(daemon, { debounce: "40s", stability: "50s", max_wait: "2m" })).max_wait).toBe("2m");
  });

  test("can be created disabled: then it is stopped, and not ready", async () => {
    expect(await makeWatcher(daemon, { enabled: false })).toMatchObject({
      enabled: false,
      health: { state: "stopped", reason: "The watcher is disabled" },
      readiness: "not_ready",
      reason: "watcher_disabled",
    });
  });
});

describe("a definition is refused at its member", () => {
  const long = (bytes: number) => `/${"ä".repeat((bytes - 1) / 2)}`;
  const directory = { kind: "directory", path };
  const file = { kind: "file", path: "/missing/file" };
  const cases: readonly (readonly [field: string, body: object])[] = [
    ["kind", { path }],
    ["kind", { ...directory, kind: "tree" }],
    ["path", { kind: "directory" }],
    ...["", "inbox", "./inbox", "~/inbox", "/a/../b", "/a/./b", "/a/..", "/.", "//a", "/a//b", "/a/", "/a\0b"].map(
      (text) => ["path", { ...directory, path: text }] as const,
    ),
    ["path", { ...file, path: "/missing/file/" }],
    ["path", { ...directory, path: long(4097) }],
    ...["", "a/b", "/", "a\0", "{a", "[z-a]", "*a*b*c*d", "ä".repeat(128)].map(
      (text) => ["pattern", { ...directory, pattern: text }] as const,
    ),
    ["pattern", { ...file, pattern: "*" }],
    ["recursive", { ...file, recursive: true }],
    ["debounce", { ...directory, debounce: "24ms" }],
    ["debounce", { ...directory, debounce: "3601s" }],
    ["stability", { ...directory, stability: "0s" }],
    ["stability", { ...directory, stability: "2h" }],
    ["max_wait", { ...directory, max_wait: "1499ms" }],
    ["max_wait", { ...directory, max_wait: "86400001ms" }],
    ["on_start", { ...directory, on_start: "resume" }],
    ["health", { ...directory, health: {} }],
    ["every", { ...directory, every: "5s" }],
  ];
  test.each(cases)("%s: %j", async (field, body) => {
    await expectNoTrace(field, () => create(body));
  });

  test("and accepted at its limits", async () => {
    const accepted = [
      { ...directory, path: "/" },
      { ...directory, path: "/..a/.b/c..d/ e\n" },
      { ...directory, path: long(4095) },
      { ...directory, pattern: `${"ä".repeat(127)}*` },
      { ...directory, debounce: "25ms", stability: "25ms", max_wait: "50ms" },
      { ...directory, debounce: "1h", stability: "1h", max_wait: "1d" },
    ];
    for (const body of accepted) expect((await create(body)).status, JSON.stringify(body).slice(0, 200)).toBe(201);
  });

  test("if a watcher has its name", async () => {
    const { name } = await makeWatcher(daemon);
    await expectNoTrace("name", () => create({ ...directory, name: name.toUpperCase() }));
  });
});

test("a path in the daemon's data directory is refused, by its text and through a link; the directory around it is not", async () => {
  await using dir = await tempDir();
  symlinkSync(daemon.dataDir, join(dir.path, "link"));
  const { id } = await makeWatcher(daemon);
  for (const inside of [daemon.dataDir, join(daemon.dataDir, "log/new"), join(dir.path, "link/attempts")]) {
    const message = await expectNoTrace("path", () => create({ kind: "directory", path: inside, recursive: true }));
    expect(message).toBe("path is inside the daemon's data directory, which cannot be watched: choose another path");
    await expectNoTrace("path", () => patch(id, { path: inside }));
  }
  expect((await create({ kind: "directory", path: "/", recursive: true })).status).toBe(201);
});

describe("a patch", () => {
  test("changes each member alone, and without effect leaves no trace", async () => {
    const { id } = await makeWatcher(daemon, { pattern: "*.csv", enabled: false });
    const patches = [
      { name: fresh("renamed") },
      { path: "/missing/other" },
      { pattern: "*.json" },
      { recursive: true },
      { debounce: "2s" },
      { stability: "3s" },
      { max_wait: "2m" },
      { on_start: "ignore" },
      { target_task_id: (await makeTask(daemon)).id },
      { enabled: true },
    ];
    let revision = 1;
    for (const body of patches) {
      expect(await patched(id, body)).toMatchObject({ ...body, revision: ++revision });
      const row = query(daemon, "SELECT * FROM filesystem_watchers WHERE id = ?", id);
      await patched(id, body);
      expect(query(daemon, "SELECT * FROM filesystem_watchers WHERE id = ?", id)).toEqual(row);
    }
  });

  test("is checked against the whole watcher, and the error names a member that was sent", async () => {
    const { id } = await makeWatcher(daemon, { pattern: "*.csv", max_wait: "10s" });
    const cases: readonly (readonly [field: string, body: object])[] = [
      ["debounce", { debounce: "9100ms" }],
      ["stability", { stability: "10s", name: fresh("renamed") }],
      ["max_wait", { max_wait: "1s" }],
      ["kind", { kind: "file" }],
      ["pattern", { kind: "file", pattern: "*.json" }],
      ["recursive", { kind: "file", pattern: null, recursive: true }],
      ["pattern", { pattern: "{" }],
    ];
    for (const [field, body] of cases) await expectNoTrace(field, () => patch(id, body));
    expect(await patched(id, { debounce: "9s", max_wait: "10s" })).toMatchObject({ debounce: "9s", revision: 2 });
  });

  test("of the kind drops the pattern of all files, and needs any other cleared", async () => {
    const { id } = await makeWatcher(daemon);
    expect(await patched(id, { kind: "file" })).not.toHaveProperty("pattern");
    await expectNoTrace("pattern", () => patch(id, { pattern: "*" }));
    expect(await patched(id, { kind: "directory", recursive: true })).toMatchObject({ pattern: "*", recursive: true });
    await expectNoTrace("kind", () => patch(id, { kind: "file" }));
    await patched(id, { pattern: "*.csv" });
    expect(await patched(id, { kind: "file", pattern: null, recursive: false })).toMatchObject({ kind: "file" });
    await patched(id, { kind: "directory", pattern: "*.csv" });
    expect(await patched(id, { pattern: null })).toMatchObject({ kind: "directory", pattern: "*" });
  });

  test("begins another observation if it changes what is watched or whether, and only then", async () => {
    const { id } = await makeWatcher(daemon);
    const other = await makeTask(daemon);
    for (const body of [
      { name: fresh("x") },
      { debounce: "2s" },
      { on_start: "ignore" },
      { target_task_id: other.id },
    ]) {
      await patched(id, body);
      expect(observationOf(id)).toBe(1);
    }
    const steps = [
      { path: "/missing/b" },
      { pattern: "*.csv" },
      { recursive: true },
      { enabled: false },
      { enabled: true },
    ];
    for (const [index, body] of steps.entries()) {
      await patched(id, body);
      expect(observationOf(id)).toBe(index + 2);
      await patched(id, body);
      expect(observationOf(id)).toBe(index + 2);
    }
  });
});

test("enabling and disabling change the revision only if they change the watcher", async () => {
  const { id } = await makeWatcher(daemon);
  const act = async (verb: string) => (await daemon.call("POST", `/v1/filesystem-watchers/${id}/${verb}`)).json;
  expect(await act("enable")).toMatchObject({ enabled: true, revision: 1 });
  expect(await act("disable")).toMatchObject({ enabled: false, revision: 2, health: { state: "stopped" } });
  expect(await act("disable")).toMatchObject({ enabled: false, revision: 2 });
  expect(await act("enable")).toMatchObject({ enabled: true, revision: 3, readiness: "ready" });
});

test("readiness shows the first obstacle: the watcher's own before the task's", async () => {
  const { id, target_task_id: taskId } = await makeWatcher(daemon, {}, { command: null });
  const reason = async () => (await get(id)).reason as string;
  expect(await reason()).toBe("command_incomplete");
  await daemon.call("PATCH", `/v1/tasks/${taskId}`, { command: { kind: "exec", program: "true" } });
  expect(await get(id)).toMatchObject({ readiness: "ready", reason: "ready" });
  const group = await makeGroup(daemon, { enabled: false });
  await daemon.call("PATCH", `/v1/tasks/${taskId}`, { group_id: group.id });
  expect(await reason()).toBe("group_blocked");
  await daemon.call("POST", `/v1/tasks/${taskId}/disable`);
  expect(await reason()).toBe("task_disabled");
  await daemon.call("POST", `/v1/filesystem-watchers/${id}/disable`);
  expect(await reason()).toBe("watcher_disabled");
});

test("a watcher outlives its task: it keeps its last name, and accepts another task", async () => {
  const { id, target_task_id: taskId } = await makeWatcher(daemon);
  const name = fresh("last name");
  await daemon.call("PATCH", `/v1/tasks/${taskId}`, { name });
  expect((await get(id)).target_task_name).toBe(name);
  expect((await daemon.call("DELETE", `/v1/tasks/${taskId}`)).status).toBe(204);
  const orphan = { target_task_id: taskId, target_task_name: name, reason: "target_missing", revision: 1 };
  expect(await get(id)).toMatchObject(orphan);
  expectRefusal(await patch(id, { target_task_id: taskId }), "not_found", "target_task_id");
  expect(await patched(id, { debounce: "2s" })).toMatchObject({ ...orphan, revision: 2 });
  const next = await makeTask(daemon);
  expect(await patched(id, { target_task_id: next.id })).toMatchObject({
    target_task_name: next.name,
    reason: "ready",
  });
});

test("the list is whole unless a limit is given, newest first, and filtered by task, switch and name", async () => {
  const task = await makeTask(daemon);
  const word = fresh("inbox");
  const ids: string[] = [];
  for (const enabled of [true, false, true])
    ids.unshift((await makeWatcher(daemon, { name: fresh(word), enabled, target_task_id: task.id })).id);
  const list = async (filter: string): Promise<Json> =>
    (await daemon.call("GET", `/v1/filesystem-watchers${filter}`)).json;
  const idsOf = ({ filesystem_watchers: found }: Json) => found.map(({ id }: Json) => id);
  const ofTask = `?target_task_id=${task.id}`;
  expect(await list(ofTask)).toMatchObject({ next_cursor: null });
  expect(idsOf(await list(ofTask))).toEqual(ids);
  expect(idsOf(await list(`${ofTask}&enabled=false`))).toEqual([ids[1]]);
  expect(idsOf(await list(`?q=${encodeURIComponent(word.toUpperCase())}`))).toEqual(ids);
  const first = await list(`${ofTask}&limit=2`);
  expect(idsOf(first)).toEqual(ids.slice(0, 2));
  expect(idsOf(await list(`${ofTask}&limit=2&cursor=${first.next_cursor}`))).toEqual(ids.slice(2));
});
