import { catalogue } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { auditRowsOf, fresh, makeTask, muchLater, query } from "../support/api.ts";
import { expectRefusal, sampleOf, seen } from "../support/call.ts";
import { openTestApplication } from "../support/application.ts";

const dayMs = 24 * 3_600_000;

test("fifty concurrent calls with one key create one resource, and all return it", async () => {
  await using daemon = await startDaemon();
  const body = { name: "made once", command: { kind: "exec", program: "true" } };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => daemon.call("POST", "/v1/tasks", body, { "Idempotency-Key": "k" })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers["idempotent-replay"] === undefined)).toHaveLength(1);
  expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toHaveLength(1);
  expect(query(daemon, "SELECT * FROM audit_events")).toHaveLength(1);
});

test("a key is stored for exactly 24 hours, and then free again", async () => {
  const clock = new ManualClock();
  await using daemon = await openTestApplication({ clock });
  const create = (name: string) => daemon.call("POST", "/v1/groups", { name }, { "Idempotency-Key": "daily" });
  const first = await create("first");
  await clock.advance(dayMs - 1);
  expect((await create("first")).headers["idempotent-replay"]).toBe("true");
  expect((await create("second")).status).toBe(409);
  expect((await daemon.call("GET", "/v1/idempotency/daily")).json).toEqual({
    used: true,
    operation: "groups.create",
    resource_id: first.json.id,
    at: "2026-01-01T00:00:00.000Z",
  });
  await clock.advance(1);
  expect((await daemon.call("GET", "/v1/idempotency/daily")).json).toEqual({
    used: false,
    operation: null,
    resource_id: null,
    at: null,
  });
  const second = await create("second");
  expect([second.status, second.headers["idempotent-replay"]]).toEqual([201, undefined]);
});

test("a clock that is ahead for a moment makes no stored key free", async () => {
  const clock = new ManualClock();
  await using daemon = await openTestApplication({ clock });
  const create = (name: string) => daemon.call("POST", "/v1/groups", { name }, { "Idempotency-Key": name });
  const first = await create("deploy-1");
  clock.jump(2 * dayMs);
  expect((await create("other")).status).toBe(201);
  expect((await create("another")).status).toBe(201);
  clock.jump(-2 * dayMs);
  const repeated = await create("deploy-1");
  expect([repeated.json.id, repeated.headers["idempotent-replay"]]).toEqual([first.json.id, "true"]);
  expect((await daemon.call("GET", "/v1/idempotency/deploy-1")).json).toMatchObject({ used: true });
});

test("old keys are removed beyond the newest ten thousand", async () => {
  const clock = new ManualClock();
  await using daemon = await openTestApplication({ clock });
  const many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 12000)";
  const columns = "(actor_id, operation, key, body_hash, status, resource_id, at)";
  const times = `SELECT 'a', 'groups.create', 'k' || x, '', 201, 'g', ${clock.now()} - ${3 * dayMs} + x FROM n`;
  daemon.sqlite.exec(`INSERT INTO idempotency_keys ${columns} ${many} ${times}`);
  await daemon.call("POST", "/v1/groups", { name: "one" }, { "Idempotency-Key": "one" });
  const at = query<{ readonly at: number }>(daemon, "SELECT at FROM idempotency_keys ORDER BY at").map((row) => row.at);
  expect([at.length, at[0]]).toEqual([10_001, clock.now() - 3 * dayMs + 2_001]);
});

test("a key belongs to one operation, and another operation may use the same key", async () => {
  await using daemon = await openTestApplication();
  const key = { "Idempotency-Key": "shared" };
  const group = await daemon.call("POST", "/v1/groups", { name: "one" }, key);
  const task = await daemon.call("POST", "/v1/tasks", { name: "one" }, key);
  expect([group.status, task.status]).toEqual([201, 201]);
  expect((await daemon.call("POST", "/v1/groups", { name: "one" }, key)).json.id).toBe(group.json.id);
  expect((await daemon.call("POST", "/v1/tasks", { name: "one" }, key)).json.id).toBe(task.json.id);
});

test("a refused call leaves its key free, and so does a rehearsal", async () => {
  await using daemon = await openTestApplication();
  const key = { "Idempotency-Key": "free" };
  expect((await daemon.call("POST", "/v1/groups", { name: "" }, key)).status).toBe(400);
  expect(
    (await daemon.call("POST", "/v1/groups", { name: "a", parent_id: "grp_00000000000000000000" }, key)).status,
  ).toBe(404);
  expect((await daemon.call("GET", "/v1/idempotency/free")).json.used).toBe(false);
  expect((await daemon.call("POST", "/v1/groups", { name: "a" }, key)).status).toBe(201);
  const imported = { "Idempotency-Key": "import" };
  const file = { tasks: [{ key: "t", name: "imported" }] };
  expect((await daemon.call("POST", "/v1/import", { ...file, dry_run: true }, imported)).status).toBe(200);
  const made = await daemon.call("POST", "/v1/import", file, imported);
  expect([made.status, made.headers["idempotent-replay"]]).toEqual([201, undefined]);
});

test("a call is the same if its JSON is: whatever the order of members, but not with a default written out", async () => {
  await using daemon = await openTestApplication();
  const create = (body: string) =>
    daemon.call("POST", "/v1/tasks", body, { "Idempotency-Key": "same", "content-type": "application/json" });
  const made = await create('{"name":"one","retry":{"max_attempts":2,"delay":"1s"}}');
  expect(made.status).toBe(201);
  const again = await create(' {"retry": {"delay":"1\\u0073", "max_attempts": 2.0}, "name": "one"} ');
  expect([again.status, again.json.id, again.headers["idempotent-replay"]]).toEqual([201, made.json.id, "true"]);
  // a later version may have another default, so the call would be another one
  expect((await create('{"name":"one","retry":{"max_attempts":2,"delay":"1s"},"enabled":true}')).status).toBe(409);
});

test("a body that is parsed in a thread is recognized too", async () => {
  await using daemon = await openTestApplication();
  const tasks = Array.from({ length: 200 }, (_, index) => ({
    key: `t${index}`,
    name: `large ${index}`,
    description: "x".repeat(500),
  }));
  const call = (body: object) => daemon.call("POST", "/v1/import", body, { "Idempotency-Key": "large" });
  const made = await call({ tasks, groups: [] });
  expect(made.status).toBe(201);
  const again = await call({ groups: [], tasks });
  expect([again.json.id, again.headers["idempotent-replay"]]).toEqual([made.json.id, "true"]);
  expect((await call({ tasks: tasks.slice(1), groups: [] })).status).toBe(409);
});

test("a used key with the same body for another resource is a conflict", async () => {
  await using daemon = await startDaemon();
  const key = { "Idempotency-Key": "run" };
  const [one, two] = [await makeTask(daemon), await makeTask(daemon)];
  const body = { scheduled_for: muchLater };
  const run = await daemon.call("POST", `/v1/tasks/${one.id}/run`, body, key);
  expect(run.status).toBe(202);
  expect((await daemon.call("POST", `/v1/tasks/${two.id}/run`, body, key)).status).toBe(409);
  expect((await daemon.call("POST", `/v1/tasks/${one.id}/run`, body, key)).json.id).toBe(run.json.id);
});

test("a replay returns the current resource", async () => {
  await using daemon = await openTestApplication();
  const key = { "Idempotency-Key": "again" };
  const body = { name: fresh("group") };
  const { json: group } = await daemon.call("POST", "/v1/groups", body, key);
  await daemon.call("PATCH", `/v1/groups/${group.id}`, { description: "changed since" });
  const replay = await daemon.call("POST", "/v1/groups", body, key);
  expect(replay.json).toMatchObject({ id: group.id, description: "changed since", revision: 2 });
  expect(replay.headers["etag"]).toBe('"2"');
});

const ids = new Set<string>(catalogue.map(({ id }) => id));
/** Creations of resources that can be gone: actors, which the audit trail refers to, never are. */
const deletable = catalogue
  .map(seen)
  .filter(({ id, replayedBy }) => replayedBy !== undefined && id.endsWith(".create"))
  .filter(({ id }) => id === "import.create" || ids.has(id.replace(/create$/, "delete")));

describe("a repeated creation of a resource deleted since is a conflict that names it and asks for a new key", () => {
  test.each(deletable.map(({ id }) => ({ id })))("$id", async ({ id }) => {
    await using daemon = await openTestApplication();
    const operation = deletable.find((one) => one.id === id)!;
    const { path, body } = await sampleOf(daemon, operation);
    const create = () => daemon.call("POST", path, body, { "Idempotency-Key": "again" });
    const made = await create();
    const madeId = (operation.makes ?? "id").split(".").reduce((at, name) => at[name], made.json);
    if (id === "import.create") daemon.sqlite.exec("DELETE FROM imports");
    else expect((await daemon.call("DELETE", `${path}/${madeId}`)).status).toBe(204);
    const refused = await create();
    expectRefusal(refused, "conflict", null);
    expect(refused.json.error.message).toContain(`used to create ${madeId}, which has since been deleted`);
    expect(refused.json.error.message).toContain("use a new Idempotency-Key");
    expect(auditRowsOf(daemon, refused)).toMatchObject([
      { operation: id, resource_id: madeId, result: "failed", error_code: "conflict" },
    ]);
    expect((await daemon.call("GET", "/v1/idempotency/again")).json).toMatchObject({ used: true, resource_id: madeId });
  });
});

test("the record of a call is a hash, a status and an id: no body, no secret", async () => {
  await using daemon = await openTestApplication();
  const body = { name: "kept", environment: { TOKEN: "planted-secret" }, standard_input: "planted-secret" };
  const { json } = await daemon.call("POST", "/v1/tasks", body, { "Idempotency-Key": "kept" });
  const [row] = query(daemon, "SELECT * FROM idempotency_keys");
  expect(row).toEqual({
    actor_id: expect.stringMatching(/^act_/),
    operation: "tasks.create",
    key: "kept",
    body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    status: 201,
    resource_id: json.id,
    at: expect.any(Number),
  });
});

test("a key with any valid name is found", async () => {
  await using daemon = await openTestApplication();
  for (const key of ["a/b", "a b", "%2F", "?x=1", "#", "k".repeat(200)]) {
    expect((await daemon.call("POST", "/v1/groups", { name: fresh("group") }, { "Idempotency-Key": key })).status).toBe(
      201,
    );
    expect((await daemon.call("GET", `/v1/idempotency/${encodeURIComponent(key)}`)).json.used, key).toBe(true);
  }
});

test("a key that cannot be sent both in a header and in a path is refused, and nothing is created", async () => {
  await using daemon = await openTestApplication();
  for (const key of [".", "..", "é", "a\u00fcb", "a\tb", "\u00a0"]) {
    const answer = await daemon.call("POST", "/v1/groups", { name: fresh("group") }, { "Idempotency-Key": key });
    expectRefusal(answer, "validation_failed", "Idempotency-Key");
    expect(answer.json.error.message).toMatch(/^Idempotency-Key must not be \. or \.\., and must be printable ASCII/);
  }
  expect((await daemon.call("GET", "/v1/groups")).json.groups).toEqual([]);
  const dots = await daemon.call("POST", "/v1/groups", { name: fresh("group") }, { "Idempotency-Key": "..." });
  expect(dots.status).toBe(201);
  expect((await daemon.call("GET", "/v1/idempotency/...")).json.used).toBe(true);
});

test("looking up an invalid key is an error, and not reported as unused", async () => {
  await using daemon = await openTestApplication();
  for (const key of ["é", "%00", " a", "a ", "\u{1f514}"]) {
    const answer = await daemon.call("GET", `/v1/idempotency/${key === "%00" ? key : encodeURIComponent(key)}`);
    expectRefusal(answer, "validation_failed", "key");
  }
});
