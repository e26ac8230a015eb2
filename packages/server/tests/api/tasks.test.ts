import { limits } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { type Json, startDaemon } from "../support/harness.ts";
import { fresh, makeGroup, makeQueuedRun, makeTask, missing, muchLater } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";

function refusal(answer: { readonly status: number; readonly json: Json }) {
  return [answer.status, answer.json.error?.code, answer.json.error?.field];
}

test("a created task has every default, and its given values in canonical form", async () => {
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  await using daemon = await openTestApplication({ clock });
  const { json: plain } = await daemon.call("POST", "/v1/tasks", { name: "plain" });
  expect(plain).toEqual({
    id: expect.stringMatching(/^tsk_/),
    name: "plain",
    description: null,
    group_id: null,
    group_name: null,
    lifecycle: "draft",
    enabled: true,
    command: null,
    run_as: null,
    working_directory: null,
    environment_names: [],
    has_standard_input: false,
    timeout: null,
    kill_grace: "10s",
    leftovers: "leave",
    retry: { max_attempts: 1, delay: "10s", backoff: 2, max_delay: "1h", jitter: 0.1 },
    on_lost: "fail",
    priority: 0,
    concurrency: { limit: 1, key: null, on_conflict: "queue" },
    success_exit_codes: [0],
    output: { max_bytes: 10_485_760 },
    expect_success_within: null,
    overdue: false,
    last_success_at: null,
    last_run: null,
    recent_outcomes: [],
    usual_duration_ms: null,
    next_run_at: null,
    retention: { runs: 500, age: "90d", bytes: 1_073_741_824 },
    labels: {},
    readiness: "not_ready",
    reason: "command_incomplete",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    revision: 1,
  });
  const group = await makeGroup(daemon);
  const given = {
    name: "full",
    group_id: group.id,
    command: { kind: "exec", program: "/bin/echo" },
    timeout: "90000ms",
    kill_grace: "0h",
    retry: { max_attempts: 5, delay: "60s", jitter: 0 },
    success_exit_codes: [255, 0, 255],
    retention: { age: "24h" },
    priority: -100,
  };
  const { json: full } = await daemon.call("POST", "/v1/tasks", given);
  expect(full).toMatchObject({
    group_name: group.name,
    command: { kind: "exec", program: "/bin/echo", arguments: [] },
    timeout: "90s",
    kill_grace: "0s",
    retry: { max_attempts: 5, delay: "1m", backoff: 2, max_delay: "1h", jitter: 0 },
    success_exit_codes: [0, 255],
    retention: { runs: 500, age: "1d", bytes: 1_073_741_824 },
    priority: -100,
  });
  expect((await daemon.call("GET", `/v1/tasks/${full.id}`)).json).toEqual(full);
});

test("a daemon that does not run as root accepts only its own user in run_as, and stores it as null", async () => {
  await using daemon = await openTestApplication({ config: { account: { name: "ada", isRoot: false } } });
  const { json: own } = await daemon.call("POST", "/v1/tasks", { name: "own", run_as: "ada" });
  expect(own).toMatchObject({ run_as: null });
  const answers = [
    await daemon.call("POST", "/v1/tasks", { name: "other", run_as: "root" }),
    await daemon.call("PATCH", `/v1/tasks/${own.id}`, { run_as: "root" }),
    await daemon.call("POST", "/v1/import", { tasks: [{ key: "a", name: "other", run_as: "root" }] }),
  ];
  expect(answers.map(refusal)).toEqual([
    [400, "validation_failed", "run_as"],
    [400, "validation_failed", "run_as"],
    [400, "validation_failed", "tasks.0.run_as"],
  ]);
  expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toEqual([own]);
});

test("a daemon that runs as root stores the user of a task, and null clears it", async () => {
  await using daemon = await openTestApplication({ config: { account: { name: "root", isRoot: true } } });
  const { json: task } = await daemon.call("POST", "/v1/tasks", { name: "a", run_as: "www-data" });
  expect(task).toMatchObject({ run_as: "www-data", revision: 1 });
  const patch = (run_as: string | null) => daemon.call("PATCH", `/v1/tasks/${task.id}`, { run_as });
  expect((await patch("www-data")).json).toMatchObject({ run_as: "www-data", revision: 1 });
  // its own user is none
  expect((await patch("root")).json).toMatchObject({ run_as: null, revision: 2 });
  expect((await patch("DOMAIN\\ada")).json).toMatchObject({ run_as: "DOMAIN\\ada", revision: 3 });
  expect((await patch(null)).json).toMatchObject({ run_as: null, revision: 4 });
});

const invalid: readonly (readonly [string, object, string])[] = [
  ["an empty program", { command: { kind: "exec", program: "" } }, "command.program"],
  ["an empty script", { command: { kind: "shell", script: "" } }, "command.script"],
  ["NUL in a script", { command: { kind: "shell", script: "a\0b" } }, "command.script"],
  ["an unknown kind of command", { command: { kind: "magic" } }, "command.kind"],
  ["a member of the other kind", { command: { kind: "shell", script: "a", program: "b" } }, "command.program"],
  [
    "an argument of 128 KiB",
    { command: { kind: "exec", program: "a", arguments: ["", "x".repeat(131_072)] } },
    "command.arguments.1",
  ],
  ["an id as user", { run_as: "1000" }, "run_as"],
  ["a user like an option", { run_as: "--reuid=0" }, "run_as"],
  ["a user with a colon", { run_as: "ada:x:0" }, "run_as"],
  ["a user with a newline", { run_as: "ada\nroot" }, "run_as"],
  ["a user without a name", { run_as: "" }, "run_as"],
  ["a relative directory", { working_directory: "here" }, "working_directory"],
  ["a timeout of zero", { timeout: "0s" }, "timeout"],
  ["a timeout without a unit", { timeout: "90" }, "timeout"],
  ["a grace of over an hour", { kill_grace: "61m" }, "kill_grace"],
  ["no attempt", { retry: { max_attempts: 0 } }, "retry.max_attempts"],
  ["a backoff that shrinks", { retry: { backoff: 0.5 } }, "retry.backoff"],
  ["an unknown nested member", { retry: { attempts: 3 } }, "retry.attempts"],
  ["a priority of 101", { priority: 101 }, "priority"],
  ["an empty concurrency key", { concurrency: { key: "" } }, "concurrency.key"],
  ["a concurrency key of 201 characters", { concurrency: { key: "k".repeat(201) } }, "concurrency.key"],
  ["a limit of zero runs", { concurrency: { limit: 0 } }, "concurrency.limit"],
  ["no success", { success_exit_codes: [] }, "success_exit_codes"],
  ["an exit code of 256", { success_exit_codes: [0, 256] }, "success_exit_codes.1"],
  ["output of 1,023 bytes", { output: { max_bytes: 1_023 } }, "output.max_bytes"],
  ["no history", { retention: { runs: 0 } }, "retention.runs"],
  ["history of 1,023 bytes", { retention: { bytes: 1_023 } }, "retention.bytes"],
  ["an expected success within 999ms", { expect_success_within: "999ms" }, "expect_success_within"],
  ["a label with a colon", { labels: { a: "b:c" } }, "labels.a"],
  ["a label without a name", { labels: { "": "b" } }, "labels."],
  ["a label's name of 64 characters", { labels: { ["k".repeat(64)]: "" } }, `labels.${"k".repeat(64)}`],
  ["65 labels", { labels: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, ""])) }, "labels"],
  ["standard input of over 512 KiB", { standard_input: "x".repeat(512 * 1024 + 1) }, "standard_input"],
  ["a switch that is not a boolean", { enabled: "true" }, "enabled"],
  ["a read-only member", { lifecycle: "active" }, "lifecycle"],
];

test("an invalid value is refused at its member, on creation and on change, and changes nothing", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon);
  for (const [what, members, field] of invalid) {
    const made = await daemon.call("POST", "/v1/tasks", { name: fresh("task"), ...members });
    expect(refusal(made), what).toEqual([400, "validation_failed", field]);
    const changed = await daemon.call("PATCH", `/v1/tasks/${task.id}`, members);
    expect(refusal(changed), what).toEqual([400, "validation_failed", field]);
  }
  expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toEqual([task]);
});

test("a name is unique in its group; tasks without a group share one scope", async () => {
  await using daemon = await openTestApplication();
  const [one, two] = [await makeGroup(daemon), await makeGroup(daemon)];
  const inOne = await makeTask(daemon, { name: "Sweep", group_id: one.id });
  await makeTask(daemon, { name: "sweep", group_id: two.id });
  const loose = await makeTask(daemon, { name: "SWEEP" });
  for (const group_id of [one.id, two.id, null]) {
    expect(refusal(await daemon.call("POST", "/v1/tasks", { name: " sWeep", group_id }))).toEqual([
      400,
      "validation_failed",
      "name",
    ]);
  }
  expect(refusal(await daemon.call("PATCH", `/v1/tasks/${inOne.id}`, { group_id: two.id }))).toEqual([
    400,
    "validation_failed",
    "name",
  ]);
  expect(refusal(await daemon.call("PATCH", `/v1/tasks/${inOne.id}`, { group_id: null }))).toEqual([
    400,
    "validation_failed",
    "name",
  ]);
  expect(
    (await daemon.call("PATCH", `/v1/tasks/${inOne.id}`, { group_id: two.id, name: "Sweep too" })).json,
  ).toMatchObject({ group_id: two.id, group_name: two.name });
  expect((await daemon.call("PATCH", `/v1/tasks/${loose.id}`, { group_id: one.id })).json.group_name).toBe(one.name);
  expect(refusal(await daemon.call("PATCH", `/v1/tasks/${loose.id}`, { group_id: missing.group }))).toEqual([
    404,
    "not_found",
    "group_id",
  ]);
  await daemon.call("PATCH", `/v1/groups/${one.id}`, { name: "renamed" });
  expect((await daemon.call("GET", `/v1/tasks/${loose.id}`)).json.group_name).toBe("renamed");
});

describe("the lifecycle", () => {
  test("a command makes a draft active, and can be replaced but not removed", async () => {
    await using daemon = await startDaemon();
    const draft = await makeTask(daemon, { command: null });
    expect(draft.lifecycle).toBe("draft");
    const command = { kind: "shell", script: "true" };
    const patch = (body: object) => daemon.call("PATCH", `/v1/tasks/${draft.id}`, body);
    expect((await patch({ command: null })).json).toMatchObject({ lifecycle: "draft", revision: 1 });
    expect((await patch({ command })).json).toMatchObject({
      lifecycle: "active",
      command,
      readiness: "ready",
      revision: 2,
    });
    expect((await patch({ command })).json.revision).toBe(2);
    expect(refusal(await patch({ command: null }))).toEqual([400, "validation_failed", "command"]);
    expect((await patch({ command: { kind: "exec", program: "true" } })).json).toMatchObject({
      lifecycle: "active",
      revision: 3,
    });
  });

  test("a restored task is active with a command and a draft without; a new command restores no task", async () => {
    await using daemon = await startDaemon();
    const act = (id: string, verb: string) => daemon.call("POST", `/v1/tasks/${id}/${verb}`);
    const draft = await makeTask(daemon, { command: null });
    expect((await act(draft.id, "archive")).json).toMatchObject({
      lifecycle: "archived",
      reason: "command_incomplete",
    });
    expect((await act(draft.id, "restore")).json.lifecycle).toBe("draft");
    await act(draft.id, "archive");
    const given = await daemon.call("PATCH", `/v1/tasks/${draft.id}`, { command: { kind: "shell", script: "true" } });
    expect(given.json).toMatchObject({ lifecycle: "archived", reason: "task_inactive" });
    expect(refusal(await act(draft.id, "archive"))).toEqual([409, "conflict", null]);
    expect((await act(draft.id, "restore")).json).toMatchObject({ lifecycle: "active", reason: "ready" });
    expect(refusal(await act(draft.id, "restore"))).toEqual([409, "conflict", null]);
  });
});

test("readiness names the first obstacle in the order of the contract, and a manual run is refused with that obstacle", async () => {
  await using daemon = await startDaemon();
  const outer = await makeGroup(daemon, { enabled: false });
  const inner = await makeGroup(daemon, { parent_id: outer.id });
  const { id } = await makeTask(daemon, { command: null, enabled: false, group_id: inner.id });
  await daemon.call("POST", `/v1/tasks/${id}/archive`);
  const steps: readonly (readonly [string, string, string, object?])[] = [
    ["command_incomplete", "PATCH", `/v1/tasks/${id}`, { command: { kind: "shell", script: "true" } }],
    ["task_inactive", "POST", `/v1/tasks/${id}/restore`],
    ["task_disabled", "POST", `/v1/tasks/${id}/enable`],
    ["group_blocked", "POST", `/v1/groups/${outer.id}/enable`],
  ];
  for (const [reason, method, path, body] of steps) {
    expect((await daemon.call("GET", `/v1/tasks/${id}`)).json).toMatchObject({ readiness: "not_ready", reason });
    const run = await daemon.call("POST", `/v1/tasks/${id}/run`);
    expect(refusal(run)).toEqual([409, "conflict", null]);
    expect(run.json.error.message).toContain(reason);
    expect((await daemon.call(method, path, body)).status).toBe(200);
  }
  expect((await daemon.call("GET", `/v1/tasks/${id}`)).json).toMatchObject({ readiness: "ready", reason: "ready" });
  expect((await daemon.call("GET", "/v1/runs")).json.runs).toEqual([]);
  expect((await daemon.call("POST", `/v1/tasks/${id}/run`, { scheduled_for: muchLater })).status).toBe(202);
});

test("an environment and a standard input appear as names and a flag, and in full only when revealed", async () => {
  await using daemon = await openTestApplication();
  const { id } = await makeTask(daemon, { environment: { B: "2", A: "1" }, standard_input: "line\n" });
  const get = async (part: string) => (await daemon.call("GET", `/v1/tasks/${id}${part}`)).json;
  expect(await get("")).toMatchObject({ environment_names: ["A", "B"], has_standard_input: true });
  expect(await get("/environment")).toEqual({ environment: { A: "1", B: "2" } });
  expect(await get("/standard-input")).toEqual({ standard_input: "line\n" });
  const patch = async (body: object) => (await daemon.call("PATCH", `/v1/tasks/${id}`, body)).json;
  expect((await patch({ environment: { A: "1" }, standard_input: "line\n" })).revision).toBe(1);
  expect(await patch({ environment: { A: null, C: "3" } })).toMatchObject({
    environment_names: ["B", "C"],
    revision: 2,
  });
  expect(await get("/environment")).toEqual({ environment: { B: "2", C: "3" } });
  expect(await patch({ standard_input: "" })).toMatchObject({ has_standard_input: true, revision: 3 });
  expect(await get("/standard-input")).toEqual({ standard_input: "" });
  expect(await patch({ standard_input: null })).toMatchObject({ has_standard_input: false, revision: 4 });
  expect(await get("/standard-input")).toEqual({ standard_input: null });
});

test("names of built-in object properties are environment names like any others", async () => {
  await using daemon = await openTestApplication();
  const environment = { constructor: "1", toString: "2", hasOwnProperty: "3", valueOf: "4" };
  const { id } = await makeTask(daemon, { environment });
  expect((await daemon.call("GET", `/v1/tasks/${id}/environment`)).json).toEqual({ environment });
  const patched = await daemon.call("PATCH", `/v1/tasks/${id}`, {
    environment: { toString: null, constructor: "5", isPrototypeOf: null },
  });
  expect(patched.json.environment_names).toEqual(["constructor", "hasOwnProperty", "valueOf"]);
});

test("labels merge by name, null removes one, and a task has at most 64", async () => {
  await using daemon = await openTestApplication();
  const { id } = await makeTask(daemon, { labels: { team: "ops", tier: "" } });
  const patch = (labels: object) => daemon.call("PATCH", `/v1/tasks/${id}`, { labels });
  expect((await patch({ team: "dev", tier: null, "a.b/c-d": "x" })).json).toMatchObject({
    labels: { team: "dev", "a.b/c-d": "x" },
    revision: 2,
  });
  expect((await patch({ team: "dev", none: null })).json.revision).toBe(2);
  const many = Object.fromEntries(Array.from({ length: 63 }, (_, index) => [`k${index}`, "v"]));
  expect(refusal(await patch(many))).toEqual([400, "validation_failed", "labels"]);
  expect((await patch({ ...many, team: null })).json.revision).toBe(3);
});

test("a nested object is replaced completely, with its defaults", async () => {
  await using daemon = await openTestApplication();
  const { id } = await makeTask(daemon, {
    retry: { max_attempts: 4, delay: "1s", jitter: 0.5 },
    concurrency: { limit: 7, key: "db" },
  });
  const { json } = await daemon.call("PATCH", `/v1/tasks/${id}`, { retry: { backoff: 3 }, concurrency: {} });
  expect(json.retry).toEqual({ max_attempts: 1, delay: "10s", backoff: 3, max_delay: "1h", jitter: 0.1 });
  expect(json.concurrency).toEqual({ limit: 1, key: null, on_conflict: "queue" });
});

test("the same value in another form is no change", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon, {
    timeout: "60m",
    retry: { delay: "60s" },
    success_exit_codes: [0, 3],
    labels: { a: "1", b: "2" },
  });
  const same = {
    timeout: "1h",
    retry: { delay: "1m" },
    success_exit_codes: [3, 0, 0],
    labels: { b: "2" },
    name: ` ${task.name} `,
    kill_grace: "10000ms",
  };
  expect((await daemon.call("PATCH", `/v1/tasks/${task.id}`, same)).json).toEqual(task);
  expect(refusal(await daemon.call("PATCH", `/v1/tasks/${task.id}`, {}))).toEqual([400, "validation_failed", null]);
});

test("a task with a waiting run is not deleted, and its history outlives it", async () => {
  await using daemon = await startDaemon();
  const run = await makeQueuedRun(daemon);
  expect(refusal(await daemon.call("DELETE", `/v1/tasks/${run.task_id}`))).toEqual([409, "conflict", null]);
  await daemon.call("POST", `/v1/runs/${run.id}/cancel`);
  const schedule = await daemon.call("POST", "/v1/schedules", { task_id: run.task_id, kind: "boot" });
  expect((await daemon.call("DELETE", `/v1/tasks/${run.task_id}`)).status).toBe(204);
  expect((await daemon.call("GET", `/v1/schedules/${schedule.json.id}`)).status).toBe(404);
  expect((await daemon.call("GET", `/v1/runs/${run.id}`)).json).toMatchObject({
    task_id: run.task_id,
    task_name: run.task_name,
  });
});

describe("the list", () => {
  test("returns 100 rows by default, and filters by group, membership, switch, label and part of the name", async () => {
    const clock = new ManualClock();
    await using daemon = await openTestApplication({ clock });
    const group = await makeGroup(daemon);
    const ids: string[] = [];
    for (let count = 0; count < 103; count++) {
      await clock.advance(1);
      const labels = { n: String(count % 3), ...(count === 50 ? { only: "" } : {}) };
      const body = { labels, enabled: count % 2 === 0, group_id: count < 10 ? group.id : null };
      ids.unshift((await makeTask(daemon, body)).id);
    }
    const list = async (filters: string): Promise<string[]> =>
      (await daemon.call("GET", `/v1/tasks${filters}`)).json.tasks.map((task: Json) => task.id);
    expect(await list("")).toEqual(ids.slice(0, limits.listDefault));
    expect(await list("?limit=1000")).toEqual(ids);
    expect(await list(`?group_id=${group.id}`)).toEqual(ids.slice(-10));
    expect(await list(`?group_id=${group.id}&enabled=false`)).toHaveLength(5);
    expect(await list("?grouped=true")).toEqual(ids.slice(-10));
    expect(await list("?grouped=false&limit=1000")).toEqual(ids.slice(0, -10));
    expect(await list("?grouped=false&enabled=false")).toHaveLength(46);
    expect(await list(`?grouped=false&group_id=${group.id}`)).toEqual([]);
    expect(await list("?label=only")).toEqual([ids[52]]);
    expect(await list("?label=only:")).toEqual([ids[52]]);
    expect(await list("?label=n:1")).toHaveLength(34);
    expect(await list("?label=n:7")).toEqual([]);
    expect(await list("?label=n&enabled=true")).toHaveLength(52);
    expect(await list("?q=TASK")).toHaveLength(100);
    expect(await list("?q=%25")).toEqual([]);
    await daemon.call("PATCH", `/v1/tasks/${ids[52]}`, { labels: { only: null } });
    expect(await list("?label=only")).toEqual([]);
    await daemon.call("DELETE", `/v1/tasks/${ids[0]}`);
    expect(await list("?label=n:0")).toHaveLength(34);
  });

  test("returns every row once over its pages, while rows are added", async () => {
    const clock = new ManualClock();
    await using daemon = await openTestApplication({ clock });
    for (let count = 0; count < 20; count++) {
      if (count % 4 === 0) await clock.advance(1);
      await makeTask(daemon, { labels: { page: "" } });
    }
    const all: string[] = (await daemon.call("GET", "/v1/tasks")).json.tasks.map((task: Json) => task.id);
    await clock.advance(1);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { json }: Json = await daemon.call(
        "GET",
        `/v1/tasks?label=page&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...json.tasks.map((task: Json) => task.id));
      cursor = json.next_cursor;
      await makeTask(daemon, { labels: { page: "" } });
    }
    expect(seen).toEqual(all);
  });
});
