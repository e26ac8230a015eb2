import { expect, test } from "vitest";
import { type Json, startDaemon } from "../support/harness.ts";
import { auditRowsOf, endOf, fresh, makeTask, makeTrigger, query } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";
import { openTestApplication } from "../support/application.ts";
import { countRuns, fire, getTrigger, rowOf } from "../support/triggers.ts";

const keyForm = /^bfk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/;

test("a key has a visible public part and a hidden secret part, and every key is unique", async () => {
  await using daemon = await openTestApplication();
  const made = [];
  for (let count = 0; count < 50; count++) made.push(await makeTrigger(daemon));
  for (const { trigger, key } of made) {
    expect(key).toMatch(keyForm);
    expect(trigger.key_prefix).toBe(key.slice(0, 12));
  }
  expect(new Set(made.map(({ key }) => key.slice(13))).size).toBe(50);
  expect(new Set(made.map(({ key }) => key.slice(4, 12))).size).toBe(50);
});

test("a reveal returns the key that fires, any number of times, and leaves an audit row each time", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const made = await makeTrigger(daemon);
  const path = `/v1/triggers/${made.trigger.id}/reveal`;
  for (let count = 0; count < 2; count++) {
    const answer = await daemon.call("POST", path);
    expect([answer.status, answer.json]).toEqual([200, made]);
    expect(auditRowsOf(daemon, answer)).toMatchObject([
      { operation: "triggers.reveal", resource_type: "trigger", resource_id: made.trigger.id, result: "allowed" },
    ]);
  }
  expect((await fire(daemon, made.key)).status).toBe(202);
});

test("a rotation replaces hash and sealed key together: only the new key fires, and the trail records it", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger, key } = await makeTrigger(daemon);
  const answer = await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`);
  expect(answer.status).toBe(200);
  expect(answer.json.key).toMatch(keyForm);
  expect(answer.json.key).not.toBe(key);
  expect(answer.json.trigger).toMatchObject({ id: trigger.id, revision: 2, key_prefix: answer.json.key.slice(0, 12) });
  expect(auditRowsOf(daemon, answer)).toMatchObject([
    { operation: "triggers.rotate", resource_id: trigger.id, result: "allowed", changed_fields_json: '["key"]' },
  ]);
  expectRefusal(await fire(daemon, key), "trigger_unknown", "key");
  expect((await fire(daemon, answer.json.key)).status).toBe(202);
  expect((await daemon.call("POST", `/v1/triggers/${trigger.id}/reveal`)).json.key).toBe(answer.json.key);
});

test("during repeated rotations each fire runs or is unknown, a new key fires immediately, and nothing else fails", async () => {
  await using daemon = await startDaemon();
  const made = await makeTrigger(daemon, {}, { concurrency: { limit: 4 } });
  const { id } = made.trigger;
  let current: string = made.key;
  let isDone = false;
  const seen = new Map<string, number>();
  const fireOn = async (): Promise<void> => {
    while (!isDone) {
      const answer = await fire(daemon, current);
      const what = answer.status === 202 ? "fired" : String(answer.json.error.code);
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  };
  const firing = Promise.all(Array.from({ length: 4 }, fireOn));
  const former: string[] = [];
  for (let count = 0; count < 15; count++) {
    const rotating = daemon.call("POST", `/v1/triggers/${id}/rotate`);
    former.push(current);
    current = (await rotating).json.key;
    expect((await fire(daemon, current)).status).toBe(202);
    expectRefusal(await fire(daemon, former.at(-1)!), "trigger_unknown", "key");
  }
  isDone = true;
  await firing;
  expect([...seen.keys()].filter((what) => what !== "fired" && what !== "trigger_unknown")).toEqual([]);
  const fired = seen.get("fired")! + 15;
  expect((await getTrigger(daemon, id)).fire_count).toBe(fired);
  expect(countRuns(daemon, id)).toBe(fired);
  for (const key of former) expectRefusal(await fire(daemon, key), "trigger_unknown", "key");
});

test("a key survives a restart, and a rotated key stays invalid", async () => {
  await using daemon = await startDaemon();
  const { trigger, key } = await makeTrigger(daemon);
  const rotated = (await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`)).json.key;
  await daemon.stop();
  await using next = await startDaemon({ dataDir: daemon.dataDir });
  expect((await next.call("POST", `/v1/triggers/${trigger.id}/reveal`)).json.key).toBe(rotated);
  expect((await fire(next, rotated)).status).toBe(202);
  expectRefusal(await fire(next, key), "trigger_unknown", "key");
});

test("fifty concurrent fires with one Idempotency-Key make one run, and all return it", async () => {
  await using daemon = await startDaemon();
  const { trigger, key } = await makeTrigger(daemon);
  const answers = await Promise.all(Array.from({ length: 50 }, () => fire(daemon, key, { "Idempotency-Key": "once" })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ json }) => json.run_id)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers["idempotent-replay"] === undefined)).toHaveLength(1);
  expect([countRuns(daemon, trigger.id), (await getTrigger(daemon, trigger.id)).fire_count]).toEqual([1, 1]);
  expect(query(daemon, "SELECT id FROM audit_events WHERE operation = 'triggers.fire'")).toHaveLength(1);
  const run = await endOf(daemon, answers[0]!.json.run_id);
  expect((await fire(daemon, key, { "Idempotency-Key": "once" })).json.state).toBe(run.state);
});

test("a fire is not replayed once its key is rotated, its trigger deleted, or its run deleted", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger, key } = await makeTrigger(daemon);
  const again = { "Idempotency-Key": "fired" };
  const { run_id } = (await fire(daemon, key, again)).json;
  const rotated = (await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`)).json.key;
  expectRefusal(await fire(daemon, key, again), "conflict", null);
  expectRefusal(await fire(daemon, rotated, again), "conflict", null);
  const second = (await fire(daemon, rotated, { "Idempotency-Key": "second" })).json;
  expect(second.run_id).not.toBe(run_id);
  await daemon.call("DELETE", `/v1/triggers/${trigger.id}`);
  expectRefusal(await fire(daemon, rotated, { "Idempotency-Key": "second" }), "conflict", null);
  expect(countRuns(daemon, trigger.id)).toBe(2);

  const kept = await makeTrigger(daemon);
  const gone = await fire(daemon, kept.key, { "Idempotency-Key": "pruned" });
  await endOf(daemon, gone.json.run_id);
  daemon.sqlite.prepare("DELETE FROM runs WHERE id = ?").run(gone.json.run_id);
  expectRefusal(await fire(daemon, kept.key, { "Idempotency-Key": "pruned" }), "conflict", null);
});

test("the trail names the trigger of a fire that was refused for its Idempotency-Key", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const [one, other] = [await makeTrigger(daemon), await makeTrigger(daemon)];
  const again = { "Idempotency-Key": "fired" };
  const refusedRow = (trigger: Json) => [
    { resource_type: "trigger", resource_id: trigger.id, result: "failed", error_code: "conflict" },
  ];
  const { run_id } = (await fire(daemon, one.key, again)).json;
  const another = await fire(daemon, other.key, again);
  expectRefusal(another, "conflict", null);
  expect(auditRowsOf(daemon, another)).toMatchObject(refusedRow(other.trigger));
  await daemon.call("POST", `/v1/triggers/${one.trigger.id}/rotate`);
  const former = await fire(daemon, one.key, again);
  expectRefusal(former, "conflict", null);
  expect(auditRowsOf(daemon, former)).toMatchObject(refusedRow(one.trigger));
  const pruned = { "Idempotency-Key": "pruned" };
  const gone = (await fire(daemon, other.key, pruned)).json.run_id;
  for (const id of [run_id, gone]) await endOf(daemon, id);
  daemon.sqlite.prepare("DELETE FROM runs WHERE id = ?").run(gone);
  expect(auditRowsOf(daemon, await fire(daemon, other.key, pruned))).toMatchObject(refusedRow(other.trigger));
  const unknown = await fire(daemon, one.key, { "Idempotency-Key": "fresh" });
  expect(auditRowsOf(daemon, unknown)).toMatchObject([{ resource_id: null, error_code: "trigger_unknown" }]);
});

test("a repeated creation is audited as a reveal; after a rotation it is a conflict and reveals nothing", async () => {
  await using daemon = await openTestApplication();
  const body = { name: fresh("trigger"), target_task_id: (await makeTask(daemon)).id };
  const create = () => daemon.call("POST", "/v1/triggers", body, { "Idempotency-Key": "make" });
  const first = await create();
  const again = await create();
  expect([again.status, again.json, again.headers["idempotent-replay"]]).toEqual([201, first.json, "true"]);
  expect(auditRowsOf(daemon, again)).toMatchObject([
    { operation: "triggers.reveal", resource_id: first.json.trigger.id, result: "allowed" },
  ]);
  const path = `/v1/triggers/${first.json.trigger.id}`;
  await daemon.call("PATCH", path, { name: "renamed since" });
  expect((await create()).json).toMatchObject({ key: first.json.key, trigger: { name: "renamed since", revision: 2 } });
  const { key } = (await daemon.call("POST", `${path}/rotate`)).json;
  const refused = await create();
  expectRefusal(refused, "conflict", null);
  expect(refused.text).not.toContain(key.slice(13));
  expect(auditRowsOf(daemon, refused)).toMatchObject([{ operation: "triggers.create", result: "failed" }]);
  await daemon.call("DELETE", path);
  expectRefusal(await create(), "conflict", null);
});

test("a repeated creation is refused to a caller that may no longer create", async () => {
  await using daemon = await openTestApplication();
  const body = { name: fresh("trigger"), target_task_id: (await makeTask(daemon)).id };
  const create = () => daemon.call("POST", "/v1/triggers", body, { "Idempotency-Key": "make" });
  expect((await create()).status).toBe(201);
  daemon.actAs("operate");
  const refused = await create();
  expectRefusal(refused, "forbidden", null);
  expect(refused.text).not.toContain("bfk_");
});

test("a key that cannot be audited is not revealed: reveal, rotation and repeated creation are 503, and nothing changes", async () => {
  await using daemon = await openTestApplication();
  const body = { name: fresh("trigger"), target_task_id: (await makeTask(daemon)).id };
  const create = () => daemon.call("POST", "/v1/triggers", body, { "Idempotency-Key": "make" });
  const { json: made } = await create();
  const path = `/v1/triggers/${made.trigger.id}`;
  const before = rowOf(daemon, made.trigger.id);
  daemon.sqlite.pragma("query_only = 1");
  for (const call of [create, ...["reveal", "rotate"].map((verb) => () => daemon.call("POST", `${path}/${verb}`))]) {
    const answer = await call();
    expectRefusal(answer, "audit_unavailable", null);
    expect(answer.text).not.toContain("bfk_");
  }
  expect(rowOf(daemon, made.trigger.id)).toEqual(before);
  daemon.sqlite.pragma("query_only = 0");
  expect((await daemon.call("POST", `${path}/reveal`)).json.key).toBe(made.key);
});

test("a key is refused as an Idempotency-Key, which would be stored as it is", async () => {
  await using daemon = await openTestApplication();
  const { key } = await makeTrigger(daemon);
  const answer = await fire(daemon, key, { "Idempotency-Key": `fire ${key}` });
  expectRefusal(answer, "validation_failed", "Idempotency-Key");
  expect(answer.text).not.toContain(key.slice(13));
});

test("a key is refused as a name of any resource, at its member, with the advice to rotate it", async () => {
  await using daemon = await openTestApplication();
  const { trigger, key } = await makeTrigger(daemon);
  const of = { target_task_id: trigger.target_task_id };
  for (const [method, path, body, field] of [
    ["POST", "/v1/triggers", { ...of, name: key }, "name"],
    ["PATCH", `/v1/triggers/${trigger.id}`, { name: key }, "name"],
    ["POST", "/v1/trigger-sets", { ...of, name: key, count: 1 }, "name"],
    ["POST", "/v1/trigger-sets", { ...of, name: "x", member_names: ["y", `of ${key}`] }, "member_names.1"],
    ["POST", "/v1/tasks", { name: key }, "name"],
    ["POST", "/v1/tasks", { name: "x", labels: { team: key } }, "labels.team"],
    ["POST", "/v1/tasks", { name: "x", labels: { [key]: "x" } }, `labels.${key.slice(0, 12)}_[secret]`],
    ["POST", "/v1/groups", { name: key }, "name"],
    ["POST", "/v1/notification-channels", { name: key, endpoint: "https://a.example/" }, "name"],
    ["PATCH", "/v1/manifest", { display_name: key }, "display_name"],
    ["POST", "/v1/import", { tasks: [{ key, name: "x" }] }, "tasks.0.key"],
  ] as const) {
    const answer = await daemon.call(method, path, body);
    expectRefusal(answer, "validation_failed", field);
    expect(answer.json.error.message).toContain("rotate the key");
    expect(answer.text).not.toContain(key.slice(13));
  }
  expect(JSON.stringify(query(daemon, "SELECT * FROM audit_events"))).not.toContain(key.slice(13));
});

test("a name belongs to one trigger in any spelling, and a refused change changes nothing", async () => {
  await using daemon = await openTestApplication();
  const one = await makeTrigger(daemon, { name: "Déploy" });
  const other = await makeTrigger(daemon);
  const taken = { name: "  DE\u0301PLOY ", target_task_id: one.trigger.target_task_id };
  expectRefusal(await daemon.call("POST", "/v1/triggers", taken), "validation_failed", "name");
  const before = rowOf(daemon, other.trigger.id);
  expectRefusal(await daemon.call("PATCH", `/v1/triggers/${other.trigger.id}`, taken), "validation_failed", "name");
  expect(rowOf(daemon, other.trigger.id)).toEqual(before);
  const own = await daemon.call("PATCH", `/v1/triggers/${one.trigger.id}`, { name: "DÉPLOY" });
  expect(own.json).toMatchObject({ name: "DÉPLOY", revision: 2 });
});

test("the list is complete without a limit, its pages return each trigger once, and filters match exactly their triggers", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon);
  for (let count = 0; count < 130; count++) {
    const body = { name: `trigger ${count}`, target_task_id: task.id, enabled: count % 10 !== 0 };
    expect((await daemon.call("POST", "/v1/triggers", body)).status).toBe(201);
  }
  await makeTrigger(daemon, { name: "Another task's" });
  const list = async (filters: string) => (await daemon.call("GET", `/v1/triggers${filters}`)).json;
  const whole = await list("");
  expect([whole.triggers.length, whole.next_cursor]).toEqual([131, null]);
  expect(whole.triggers[0].name).toBe("Another task's");
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await list(`?limit=20&target_task_id=${task.id}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    seen.push(...page.triggers.map(({ id }: { id: string }) => id));
    cursor = page.next_cursor;
  }
  expect([seen.length, new Set(seen).size]).toEqual([130, 130]);
  expect((await list("?enabled=false")).triggers).toHaveLength(13);
  expect((await list("?q=ANOTHER")).triggers).toHaveLength(1);
  expect((await list("?target_task_id=tsk_00000000000000000000")).triggers).toEqual([]);
});
