import { capabilities, isCapabilityEnough, type OperationId } from "@belfry/contract";
import { ManualClock, until } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import type { Answer } from "../support/harness.ts";
import { auditRowsOf, endOf, everything, makeTrigger, missing, query } from "../support/api.ts";
import { expectRefusal, sampleOf, localOperations } from "../support/call.ts";
import { type TestApplication, openTestApplication } from "../support/application.ts";

const all = localOperations;

function linesOf(app: TestApplication, answer: Answer) {
  const id = answer.headers["x-request-id"];
  const lines = app.logged.filter(({ fields }) => fields["request_id"] === id);
  return lines.map(({ level, event, fields }) => [level, event, fields]);
}

describe.each(capabilities.map((held) => ({ held })))("a caller with the capability $held", ({ held }) => {
  test("may call operations that require no more; others are 403 before their input is read, change nothing, and are audited", async () => {
    await using app = await openTestApplication({ canRun: true });
    for (const operation of all) {
      app.actAs("enroll");
      const sample = await sampleOf(app, operation);
      const before = everything(app, ["audit_events"]);
      app.actAs(held);
      const method = operation.method.toUpperCase();
      if (isCapabilityEnough(held, operation.capability)) {
        const answer = await app.call(method, sample.path, sample.body);
        expect(answer.status, `${operation.id} ${answer.text}`).toBeLessThan(300);
        // a run or a delivery that goes on would change what is compared later
        if (operation.id === "runs.rerun") await endOf(app, answer.json.id);
        if (operation.id === "triggers.fire") await endOf(app, answer.json.run_id);
        const open = "SELECT id FROM notification_deliveries WHERE ended_at IS NULL";
        await until("no delivery goes on", () => query(app, open).length === 0);
        continue;
      }
      for (const [index, body] of [sample.body, '{"malformed', undefined].entries()) {
        const sent = method === "GET" ? undefined : body;
        const answer = await app.call(method, `${sample.path}?surprise=1`, sent, { expect: "100-continue" });
        expectRefusal(answer, "forbidden", null);
        expect(app.bodiesAskedFor()).toBe(0);
        // the first of identical denials in a minute is recorded
        expect(auditRowsOf(app, answer)).toMatchObject(
          index > 0 ? [] : [{ operation: operation.id, result: "denied", error_code: "forbidden" }],
        );
      }
      expect(everything(app, ["audit_events"]), operation.id).toEqual(before);
    }
  });
});

test("an unexpected error is 500 with the request's id and a line in the log, without its cause", async () => {
  await using app = await openTestApplication({ canRun: true });
  const fail = (): never => {
    throw new Error("the planted cause");
  };
  for (const operation of all) {
    const sample = await sampleOf(app, operation);
    const method = operation.method.toUpperCase();
    const id = operation.id as OperationId;
    const served = app.operations[id]!;
    app.operations[id] = { ...served, prepare: undefined, handle: fail };
    const answer = await app.call(method, sample.path, sample.body);
    app.operations[id] = served;
    expectRefusal(answer, "internal", null);
    const requestId = String(answer.headers["x-request-id"]);
    expect(answer.json.error.message).toContain(requestId);
    expect(answer.text).not.toContain("planted");
    const fields = { operation: operation.id, request_id: requestId, status: 500, code: "internal" };
    expect(linesOf(app, answer)).toEqual([
      ["error", "request.failed", { ...fields, error: expect.stringContaining("the planted cause") }],
    ]);
    expect(auditRowsOf(app, answer)).toHaveLength(operation.audited ? 1 : 0);
  }
});

test("each answer of 500 or above, and no other, has one log line with its request id, without the body", async () => {
  await using app = await openTestApplication();
  const { key } = await makeTrigger(app);
  const refused = await app.call("POST", "/v1/triggers/fire", { key });
  expectRefusal(refused, "trigger_dispatch_unavailable");
  const of = { operation: "triggers.fire", request_id: refused.headers["x-request-id"] };
  expect(linesOf(app, refused)).toEqual([
    ["warn", "request.refused", { ...of, status: 503, code: "trigger_dispatch_unavailable" }],
  ]);
  for (const answer of [
    await app.call("POST", "/v1/triggers/fire", { key: "unknown" }),
    await app.call("GET", `/v1/runs/${missing.run}`),
    await app.call("POST", "/v1/groups", { name: "" }),
    await app.call("POST", "/v1/groups", { name: "made" }),
  ])
    expect(linesOf(app, answer)).toEqual([]);

  app.sqlite.pragma("query_only = 1");
  for (const body of [{ name: "planted" }, { name: "" }]) {
    const answer = await app.call("POST", "/v1/groups", body);
    expectRefusal(answer, "audit_unavailable", null);
    const fields = { operation: "groups.create", request_id: answer.headers["x-request-id"], status: 503 };
    expect(linesOf(app, answer)).toEqual([
      ["error", "request.failed", expect.objectContaining({ ...fields, code: "audit_unavailable" })],
    ]);
  }
  app.sqlite.pragma("query_only = 0");
  expect(JSON.stringify(app.logged)).not.toContain("planted");
  expect(JSON.stringify(app.logged)).not.toContain(key.slice(13));
});

test("a write that fails undoes its changes and its events", async () => {
  await using app = await openTestApplication({ canRun: true });
  const create = app.operations["groups.create"]!;
  const handle = ((unit: never, call: never) => {
    create.handle!(unit, call);
    throw new Error("after the row was written");
  }) as never;
  app.operations["groups.create"] = { handle };
  const before = everything(app, ["audit_events"]);
  expectRefusal(await app.call("POST", "/v1/groups", { name: "undone" }), "internal");
  expect(everything(app, ["audit_events"])).toEqual(before);
});

test("calls that share a commit succeed or fail separately, and each has its own row", async () => {
  await using app = await openTestApplication({ canRun: true });
  const names = Array.from({ length: 200 }, (_, index) => `group ${Math.floor(index / 2)}`);
  const answers = await Promise.all(names.map((name) => app.call("POST", "/v1/groups", { name })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(100);
  for (const answer of answers) {
    expect(auditRowsOf(app, answer)).toMatchObject([{ result: answer.status === 201 ? "allowed" : "failed" }]);
  }
  expect((await app.call("GET", "/v1/groups")).json.groups).toHaveLength(100);
});

test("identical denials leave one row a minute, and each is answered the same", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const denials = () => query<{ operation: string }>(app, "SELECT operation FROM audit_events WHERE result = 'denied'");
  app.actAs("observe");
  const deny = async (path: string) => expectRefusal(await app.call("POST", path, {}), "forbidden", null);
  for (let count = 0; count < 5; count++) await deny("/v1/tasks");
  expect(denials()).toHaveLength(1);
  await deny("/v1/groups");
  expect(denials()).toHaveLength(2);
  await clock.advance(60_000);
  await deny("/v1/tasks");
  expect(denials().map(({ operation }) => operation)).toEqual(["tasks.create", "groups.create", "tasks.create"]);
});

test("a denial that cannot be recorded is 503, and so are identical ones until one is recorded", async () => {
  await using app = await openTestApplication({ clock: new ManualClock() });
  app.actAs("observe");
  app.sqlite.exec("CREATE TRIGGER unwritable BEFORE INSERT ON audit_events BEGIN SELECT RAISE(FAIL, 'no'); END");
  for (let count = 0; count < 2; count++)
    expectRefusal(await app.call("POST", "/v1/tasks", {}), "audit_unavailable", null);
  app.sqlite.exec("DROP TRIGGER unwritable");
  const answer = await app.call("POST", "/v1/tasks", {});
  expectRefusal(answer, "forbidden", null);
  expect(auditRowsOf(app, answer)).toHaveLength(1);
});
