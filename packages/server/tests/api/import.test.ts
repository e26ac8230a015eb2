import { limits } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { type Json, startDaemon } from "../support/harness.ts";
import { auditRowsOf, everything, fresh, makeGroup, missing } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";

function refusal(answer: { readonly status: number; readonly json: Json }) {
  return [answer.status, answer.json.error?.code, answer.json.error?.field];
}

const command = { kind: "shell", script: "true" };
const cron = { kind: "cron", expression: "0 3 1 1 *" };

test("a file of groups, tasks and schedules is imported in one commit, whatever the order of its groups", async () => {
  await using daemon = await openTestApplication();
  const outside = await makeGroup(daemon);
  const answer = await daemon.call("POST", "/v1/import", {
    groups: [
      { key: "leaf", name: "Leaf", parent_key: "middle" },
      { key: "middle", name: "Middle", parent_key: "top" },
      { key: "top", name: "Top", parent_id: outside.id, environment: { A: "1" } },
    ],
    tasks: [
      { key: "one", name: "One", group_key: "leaf", command },
      { key: "two", name: "Two", group_id: outside.id },
      { key: "three", name: "Three" },
    ],
    schedules: [
      { key: "s1", task_key: "one", ...cron },
      { key: "s2", task_key: "one", name: "named", kind: "interval", every: "1h", enabled: false },
    ],
  });
  expect(answer.status, answer.text).toBe(201);
  const id = (kind: string, key: string): string => answer.json[kind].find((made: Json) => made.key === key).id;
  expect((await daemon.call("GET", `/v1/groups/${id("groups", "leaf")}`)).json.parent_id).toBe(id("groups", "middle"));
  expect((await daemon.call("GET", `/v1/groups/${id("groups", "top")}`)).json).toMatchObject({
    parent_id: outside.id,
    environment_names: ["A"],
  });
  expect((await daemon.call("GET", `/v1/tasks/${id("tasks", "one")}`)).json).toMatchObject({
    group_name: "Leaf",
    lifecycle: "active",
  });
  expect((await daemon.call("GET", `/v1/tasks/${id("tasks", "two")}`)).json).toMatchObject({
    group_id: outside.id,
    lifecycle: "draft",
  });
  expect((await daemon.call("GET", `/v1/schedules/${id("schedules", "s2")}`)).json).toMatchObject({
    name: "named",
    enabled: false,
  });
  expect(answer.json.schedules.map(({ key, name }: Json) => [key, name])).toEqual([
    ["s1", "0 3 1 1 *"],
    ["s2", "named"],
  ]);
  expect((await daemon.call("GET", `/v1/import/${answer.json.id}`)).json).toEqual(answer.json);
  expect(auditRowsOf(daemon, answer)).toMatchObject([
    { operation: "import.create", resource_id: answer.json.id, result: "allowed" },
  ]);
});

test("a mistake in the last item undoes the whole import, except the audit row of the refusal", async () => {
  await using daemon = await openTestApplication();
  const before = everything(daemon, ["audit_events"]);
  const answer = await daemon.call("POST", "/v1/import", {
    groups: [{ key: "g", name: "kept nowhere" }],
    tasks: Array.from({ length: 50 }, (_, index) => ({
      key: `t${index}`,
      group_key: "g",
      name: `task ${index}`,
      command,
      labels: { a: "b" },
      environment: { A: "1" },
    })),
    schedules: [
      { key: "s0", task_key: "t0", ...cron },
      { key: "s1", task_key: "t1", kind: "once", at: "2001-01-01T00:00:00Z" },
    ],
  });
  expect(refusal(answer)).toEqual([400, "validation_failed", "schedules.1.at"]);
  expect(everything(daemon, ["audit_events"])).toEqual(before);
  expect(auditRowsOf(daemon, answer)).toMatchObject([
    { operation: "import.create", result: "failed", error_code: "validation_failed" },
  ]);
});

test("a rehearsal returns the plan with 200 and stores nothing, not even an audit row", async () => {
  await using daemon = await openTestApplication();
  const file = {
    groups: [{ key: "g", name: "G" }],
    tasks: [{ key: "t", group_key: "g", name: "T", command }],
    schedules: [{ key: "s", task_key: "t", ...cron }],
  };
  const before = everything(daemon);
  const answer = await daemon.call("POST", "/v1/import", { ...file, dry_run: true });
  expect([answer.status, answer.json.dry_run, answer.json.tasks[0].name]).toEqual([200, true, "T"]);
  expect(everything(daemon)).toEqual(before);
  expect((await daemon.call("GET", `/v1/import/${answer.json.id}`)).status).toBe(404);
  expect((await daemon.call("POST", "/v1/import", file)).json.dry_run).toBe(false);
  const again = await daemon.call("POST", "/v1/import", { ...file, dry_run: true });
  expect(refusal(again)).toEqual([400, "validation_failed", "groups.0.name"]);
});

const mistakes: readonly (readonly [string, object, number, string])[] = [
  [
    "a task in a group the file does not have",
    {
      tasks: [
        { key: "a", name: "A" },
        { key: "b", name: "B", group_key: "x" },
      ],
    },
    400,
    "tasks.1.group_key",
  ],
  [
    "a schedule of a task the file does not have",
    { schedules: [{ key: "s", task_key: "x", ...cron }] },
    400,
    "schedules.0.task_key",
  ],
  [
    "a group in a group the file does not have",
    { groups: [{ key: "a", name: "A", parent_key: "x" }] },
    400,
    "groups.0.parent_key",
  ],
  [
    "a group within itself",
    {
      groups: [
        { key: "o", name: "O" },
        { key: "a", name: "A", parent_key: "a" },
      ],
    },
    400,
    "groups.1.parent_key",
  ],
  [
    "groups within each other",
    {
      groups: [
        { key: "a", name: "A", parent_key: "b" },
        { key: "b", name: "B", parent_key: "a" },
      ],
    },
    400,
    "groups.0.parent_key",
  ],
  [
    "two groups of one key",
    {
      groups: [
        { key: "a", name: "A" },
        { key: "a", name: "B" },
      ],
    },
    400,
    "groups.1.key",
  ],
  [
    "two tasks of one key",
    {
      tasks: [
        { key: "a", name: "A" },
        { key: "a", name: "B" },
      ],
    },
    400,
    "tasks.1.key",
  ],
  [
    "two schedules of one key",
    {
      tasks: [{ key: "t", name: "T" }],
      schedules: [
        { key: "s", task_key: "t", ...cron },
        { key: "s", task_key: "t", kind: "boot" },
      ],
    },
    400,
    "schedules.1.key",
  ],
  [
    "two tasks of one name",
    {
      tasks: [
        { key: "a", name: "Same" },
        { key: "b", name: " sAME" },
      ],
    },
    400,
    "tasks.1.name",
  ],
  [
    "a parent by key and by id",
    {
      groups: [
        { key: "a", name: "A" },
        { key: "b", name: "B", parent_key: "a", parent_id: missing.group },
      ],
    },
    400,
    "groups.1.parent_key",
  ],
  [
    "a group by key and by id",
    { groups: [{ key: "a", name: "A" }], tasks: [{ key: "b", name: "B", group_key: "a", group_id: missing.group }] },
    400,
    "tasks.0.group_key",
  ],
  [
    "a parent that does not exist",
    { groups: [{ key: "a", name: "A", parent_id: missing.group }] },
    404,
    "groups.0.parent_id",
  ],
  [
    "a group that does not exist",
    { tasks: [{ key: "a", name: "A", group_id: missing.group }] },
    404,
    "tasks.0.group_id",
  ],
  [
    "a name of nothing",
    {
      tasks: [
        { key: "a", name: "A" },
        { key: "b", name: " " },
      ],
    },
    400,
    "tasks.1.name",
  ],
  ["a task without a key", { tasks: [{ name: "A" }] }, 400, "tasks.0.key"],
  ["an unknown member of an item", { tasks: [{ key: "a", name: "A", surprise: 1 }] }, 400, "tasks.0.surprise"],
  [
    "an invalid expression",
    { tasks: [{ key: "t", name: "T" }], schedules: [{ key: "s", task_key: "t", kind: "cron", expression: "never" }] },
    400,
    "schedules.0.expression",
  ],
  ["an object instead of a list", { tasks: {} }, 400, "tasks"],
];

test("each mistake is reported at its place in the file, and leaves nothing", async () => {
  await using daemon = await openTestApplication();
  const before = everything(daemon, ["audit_events"]);
  for (const [what, file, status, field] of mistakes) {
    const answer = await daemon.call("POST", "/v1/import", file);
    expect([answer.status, answer.json.error?.field], `${what}: ${answer.text}`).toEqual([status, field]);
  }
  expect(everything(daemon, ["audit_events"])).toEqual(before);
});

test("a file of the maximum depth is accepted, and a deeper file is refused", async () => {
  await using daemon = await openTestApplication();
  const chain = (depth: number, mark: string) =>
    Array.from({ length: depth }, (_, index) => ({
      key: `k${index}`,
      name: `${mark} ${index}`,
      parent_key: index === 0 ? null : `k${index - 1}`,
    })).reverse();
  const tooDeep = await daemon.call("POST", "/v1/import", { groups: chain(limits.groupDepthMax + 1, "too deep") });
  expect(refusal(tooDeep)).toEqual([400, "validation_failed", "groups.0.parent_key"]);
  expect((await daemon.call("POST", "/v1/import", { groups: chain(limits.groupDepthMax, "deep") })).status).toBe(201);
});

describe("with an Idempotency-Key", () => {
  test("a repeated file creates nothing new, and gets the first answer", async () => {
    await using daemon = await openTestApplication();
    const file = { tasks: [{ key: "t", name: fresh("task"), command }] };
    const key = { "Idempotency-Key": "import" };
    const first = await daemon.call("POST", "/v1/import", file, key);
    const before = everything(daemon);
    const again = await daemon.call("POST", "/v1/import", file, key);
    expect([again.status, again.headers["idempotent-replay"], again.json]).toEqual([201, "true", first.json]);
    expect(everything(daemon)).toEqual(before);
    expect((await daemon.call("POST", "/v1/import", { tasks: [] }, key)).status).toBe(409);
  });
});

const filler = (bytes: number): string => "x".repeat(bytes);

/** A file of the maximum size, larger than any other body. */
function largestFile(name: string) {
  const most = Array.from({ length: limits.importItemsMax }, (_, index) => index);
  return {
    groups: most.map((index) => ({ key: `g${index}`, name: `${name} ${index}` })),
    tasks: most.map((index) => ({
      key: `t${index}`,
      group_key: `g${index}`,
      name: `${name} ${index}`,
      command: { kind: "shell", script: `true # ${filler(5_000)}` },
    })),
    schedules: most.map((index) => ({ key: `s${index}`, task_key: `t${index}`, ...cron })),
  };
}

test("the largest file is accepted completely, and one more item is refused with the name of its list", async () => {
  await using daemon = await startDaemon();
  const file = largestFile("bulk");
  expect(JSON.stringify(file).length).toBeGreaterThan(limits.bodyBytesMax);
  const answer = await daemon.call("POST", "/v1/import", file);
  expect(answer.status, answer.text).toBe(201);
  for (const list of ["groups", "tasks", "schedules"]) {
    expect(answer.json[list]).toHaveLength(limits.importItemsMax);
    const more = { ...file, [list]: [...file[list as "groups"], file[list as "groups"][0]] };
    expect(refusal(await daemon.call("POST", "/v1/import", more))).toEqual([400, "validation_failed", list]);
  }
});

test("a large file repeated under its Idempotency-Key creates nothing more, and another file under that key is refused", async () => {
  await using daemon = await openTestApplication();
  const key = { "Idempotency-Key": "large" };
  const first = await daemon.call("POST", "/v1/import", largestFile("kept"), key);
  const again = await daemon.call("POST", "/v1/import", largestFile("kept"), key);
  expect([again.status, again.headers["idempotent-replay"], again.json]).toEqual([201, "true", first.json]);
  const other = await daemon.call("POST", "/v1/import", largestFile("other"), key);
  expect(refusal(other)).toEqual([409, "conflict", null]);
});

const task = { key: "t", name: "T", command };
const largeMistakes: readonly (readonly [string, string, number, string, string | null])[] = [
  ["no JSON", `{"tasks": [${" ".repeat(100_000)}}`, 400, "validation_failed", null],
  [
    "a member nobody knows",
    JSON.stringify({ tasks: [task], [filler(10)]: filler(100_000) }),
    400,
    "validation_failed",
    filler(10),
  ],
  [
    "half of a surrogate pair",
    JSON.stringify({ tasks: [{ ...task, description: "\ud800" }], groups: [] }) + " ".repeat(100_000),
    400,
    "validation_failed",
    "tasks.0.description",
  ],
  ["more values than a body may have", `[${"[],".repeat(limits.importValuesMax)}[]]`, 413, "payload_too_large", null],
];

test.each(largeMistakes)(
  "a large file with %s is refused like a small one",
  async (_what, body, status, code, field) => {
    await using daemon = await openTestApplication();
    const before = everything(daemon, ["audit_events"]);
    expect(refusal(await daemon.call("POST", "/v1/import", body))).toEqual([status, code, field]);
    expect(everything(daemon, ["audit_events"])).toEqual(before);
    expect((await daemon.call("POST", "/v1/import", largestFile("next"))).status).toBe(201);
  },
);

test("large files that arrive concurrently are all imported, one after the other", async () => {
  await using daemon = await openTestApplication();
  const answers = await Promise.all(
    ["one", "two", "three"].map((name) => daemon.call("POST", "/v1/import", largestFile(name))),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
});
