import { expect, test } from "vitest";
import { AppError } from "../../src/kernel/errors/errors.ts";
import { auditRowsOf, everything, makeGroup } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import { makeCaller } from "../support/callers.ts";

type Served = TestApplication["operations"][string];
type Prepare = NonNullable<Served["prepare"]>;
type Prepared = Awaited<ReturnType<Prepare>>;

/** Serves `groups.delete` with a preparation, and lists its steps. */
function prepareDeletion(app: TestApplication, change: (deletion: Prepared, steps: string[]) => Partial<Prepared>) {
  const steps: string[] = [];
  const handle = app.operations["groups.delete"]!.handle!;
  const step = (name: string) => (): void => void steps.push(name);
  const prepare: Prepare = () => {
    steps.push("prepare");
    const deletion: Prepared = {
      commit: (unit, call) => {
        steps.push("commit");
        return handle(unit, call);
      },
      done: step("done"),
      undo: step("undo"),
    };
    return Promise.resolve({ ...deletion, ...change(deletion, steps) });
  };
  app.operations["groups.delete"] = { prepare };
  return steps;
}

const remove = (app: TestApplication, group: { readonly id: string }, headers = {}) =>
  app.call("DELETE", `/v1/groups/${group.id}`, undefined, headers);

test("a prepared write is prepared, committed with its audit row, and then completed", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  const steps = prepareDeletion(app, () => ({}));
  const answer = await remove(app, group);
  expect(answer.status).toBe(204);
  expect(steps).toEqual(["prepare", "commit", "done"]);
  expect(auditRowsOf(app, answer)).toMatchObject([
    { operation: "groups.delete", result: "allowed", resource_id: group.id },
  ]);
});

test("a prepared write that fails is undone and audited, and changes nothing", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  const steps = prepareDeletion(app, ({ commit }) => ({
    commit: (unit, call) => {
      commit(unit, call);
      throw new AppError("conflict", "the planted conflict");
    },
  }));
  const before = everything(app, ["audit_events"]);
  const answer = await remove(app, group);
  expectRefusal(answer, "conflict");
  expect(steps).toEqual(["prepare", "commit", "undo"]);
  expect(auditRowsOf(app, answer)).toMatchObject([{ result: "failed", error_code: "conflict" }]);
  expect(everything(app, ["audit_events"])).toEqual(before);
});

test("a preparation that fails is audited like any failure, and has nothing to undo", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  app.operations["groups.delete"] = {
    prepare: () => Promise.reject(new AppError("conflict", "the port is in use")),
  };
  const answer = await remove(app, group);
  expectRefusal(answer, "conflict");
  expect(auditRowsOf(app, answer)).toMatchObject([{ result: "failed", resource_id: group.id }]);
});

test("a failed completion is logged, and the call is answered as committed", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  prepareDeletion(app, () => ({ done: () => Promise.reject(new Error("the planted failure")) }));
  const answer = await remove(app, group);
  expect(answer.status).toBe(204);
  expect(app.logged).toMatchObject([
    { event: "request.completion_failed", fields: { request_id: answer.headers["x-request-id"] } },
  ]);
});

test("a failed undo is logged, and the call is answered with the failure of the write", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  prepareDeletion(app, () => ({
    commit: () => {
      throw new AppError("conflict", "the planted conflict");
    },
    undo: () => {
      throw new Error("the planted failure");
    },
  }));
  expectRefusal(await remove(app, group), "conflict");
  expect(app.logged.map(({ event }) => event)).toEqual(["request.undo_failed"]);
});

test("an actor that is revoked during the preparation changes nothing", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  const caller = await makeCaller(app, { capability: "manage" });
  const { actors } = app.inside.access;
  const steps = prepareDeletion(app, () => {
    app.inside.write((unit) => void actors.revoke(unit, caller.actor.id));
    return {};
  });
  const answer = await remove(app, group, caller.headers);
  expectRefusal(answer, "credential_revoked");
  expect(steps).toEqual(["prepare", "undo"]);
  expect(auditRowsOf(app, answer)).toMatchObject([{ actor_id: caller.actor.id, result: "denied" }]);
});

test("a write that decides who its actor is has that actor in its audit row", async () => {
  await using app = await openTestApplication();
  const group = await makeGroup(app);
  const { actor, identity } = await makeCaller(app);
  prepareDeletion(app, () => ({ actorOf: () => identity }));
  const answer = await remove(app, group);
  expect(auditRowsOf(app, answer)).toMatchObject([{ actor_id: actor.id, actor_name: actor.name, transport: "remote" }]);
});
