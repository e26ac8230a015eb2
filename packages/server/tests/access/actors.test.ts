import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { auditRowsOf, builtInActor, everything, fresh, makeActor, makeCredential, query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import { callerOf, makeCaller } from "../support/callers.ts";

const path = "/v1/access/actors";
const dayMs = 86_400_000;
const at = (ms: number): string => new Date(ms).toISOString();

test("the built-in actor is the only local one, and cannot be changed, revoked or given a credential", async () => {
  await using app = await openTestApplication();
  const local = await builtInActor(app);
  expect(local).toMatchObject({ name: "local", kind: "local", capability: "enroll", state: "active", built_in: true });
  const before = everything(app, ["audit_events"]);
  for (const [method, target, body] of [
    ["PATCH", `${path}/${local.id}`, { name: "x" }],
    ["PATCH", `${path}/${local.id}`, { state: "active" }],
    ["PATCH", `${path}/${local.id}`, { expires_at: null }],
    ["POST", `${path}/${local.id}/revoke`, undefined],
  ] as const)
    expectRefusal(await app.call(method, target, body), "conflict", null);
  expect(() => callerOf(app, local)).toThrow("the built-in actor needs no credential");
  expect(everything(app, ["audit_events"])).toEqual(before);
});

test("a revoked actor stays revoked: it cannot be changed, and gets no credential", async () => {
  await using app = await openTestApplication();
  const actor = await makeActor(app);
  const { json: revoked } = await app.call("POST", `${path}/${actor.id}/revoke`);
  expect(revoked).toMatchObject({ state: "revoked", revision: 2 });
  for (const patch of [{ state: "active" }, { name: "x" }, { capability: "observe" }, { expires_at: null }])
    expectRefusal(await app.call("PATCH", `${path}/${actor.id}`, patch), "conflict", null);
  expect((await app.call("POST", `${path}/${actor.id}/revoke`)).json).toEqual(revoked);
  expect(() => callerOf(app, actor)).toThrow("was revoked");
});

test("a name is unique among the actors that are not revoked, as people compare names", async () => {
  await using app = await openTestApplication();
  const first = await makeActor(app, { name: "Board" });
  const other = await makeActor(app);
  const taken = { name: "BOARD", capability: "observe" };
  expectRefusal(await app.call("POST", path, taken), "validation_failed", "name");
  expectRefusal(await app.call("PATCH", `${path}/${other.id}`, { name: "board" }), "validation_failed", "name");
  expectRefusal(await app.call("POST", path, { ...taken, name: "local" }), "validation_failed", "name");
  await app.call("POST", `${path}/${first.id}/revoke`);
  expect((await app.call("POST", path, taken)).status).toBe(201);
});

test("an expiry must be in the future, to the millisecond", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const actor = { name: fresh("actor"), capability: "observe" };
  for (const expires_at of [at(clock.now()), at(clock.now() - 1), "1970-01-01T00:00:00Z"])
    expectRefusal(await app.call("POST", path, { ...actor, expires_at }), "validation_failed", "expires_at");
  const made = await app.call("POST", path, { ...actor, expires_at: at(clock.now() + 1) });
  expect(made.json).toMatchObject({ state: "active", expires_at: at(clock.now() + 1) });
});

test("expired is computed from the time, and ends with a later expiry but not with a state", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const { id } = await makeActor(app, { expires_at: at(clock.now() + dayMs) });
  const state = async () => (await app.call("GET", `${path}/${id}`)).json.state;
  clock.jump(dayMs - 1);
  expect(await state()).toBe("active");
  clock.jump(1);
  expect(await state()).toBe("expired");
  expect((await app.call("GET", `${path}/${id}`)).json.revision).toBe(1);
  expectRefusal(await app.call("PATCH", `${path}/${id}`, { state: "active" }), "validation_failed", "state");
  expect((await app.call("PATCH", `${path}/${id}`, { state: "disabled" })).json.state).toBe("expired");
  const revived = await app.call("PATCH", `${path}/${id}`, { expires_at: null });
  expect(revived.json).toMatchObject({ state: "disabled", expires_at: null });
  expect((await app.call("PATCH", `${path}/${id}`, { state: "active" })).json.state).toBe("active");
});

test("the list is complete, newest first, and filters by state and by a part of the name", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const make = async (name: string, body: object = {}) => {
    clock.jump(1);
    return (await makeActor(app, { name, ...body })).id as string;
  };
  const active = await make("Board");
  const disabled = await make("Deploy");
  const revoked = await make("Former board");
  const expired = await make("Guest", { expires_at: at(clock.now() + dayMs) });
  await app.call("PATCH", `${path}/${disabled}`, { state: "disabled" });
  await app.call("POST", `${path}/${revoked}/revoke`);
  clock.jump(dayMs);
  const list = async (search: string) =>
    (await app.call("GET", `${path}${search}`)).json.actors.map(({ id }: { id: string }) => id);
  const local = (await builtInActor(app)).id;
  expect(await list("")).toEqual([expired, revoked, disabled, active, local]);
  expect(await list("?state=active")).toEqual([active, local]);
  expect(await list("?state=disabled")).toEqual([disabled]);
  expect(await list("?state=revoked")).toEqual([revoked]);
  expect(await list("?state=expired")).toEqual([expired]);
  expect(await list("?q=BOARD")).toEqual([revoked, active]);
  for (let index = 0; index < 120; index++) await make(fresh("more"));
  expect(await list("")).toHaveLength(125);
});

test("the credentials of an actor are listed without tokens, and expire with the actor", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const caller = await makeCaller(app, { expires_at: at(clock.now() + dayMs) });
  clock.jump(1);
  const second = callerOf(app, caller.actor, "cli");
  const list = async () => (await app.call("GET", `${path}/${caller.actor.id}/credentials`)).json.credentials;
  expect(await list()).toMatchObject([
    { id: second.credentialId, kind: "cli", state: "active", last_used_at: null, revoked_at: null },
    { id: caller.credentialId, kind: "json", state: "active" },
  ]);
  await app.call("POST", `/v1/access/credentials/${second.credentialId}/revoke`);
  clock.jump(dayMs);
  expect(await list()).toMatchObject([
    { id: second.credentialId, state: "revoked", revoked_at: at(clock.now() - dayMs) },
    { id: caller.credentialId, state: "expired" },
  ]);
  await app.call("POST", `${path}/${caller.actor.id}/revoke`);
  expect((await list()).map(({ state }: { state: string }) => state)).toEqual(["revoked", "revoked"]);
});

test("a second revocation of a credential changes nothing", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const { id } = await makeCredential(app);
  const first = await app.call("POST", `/v1/access/credentials/${id}/revoke`);
  clock.jump(dayMs);
  const second = await app.call("POST", `/v1/access/credentials/${id}/revoke`);
  expect(second.json).toEqual(first.json);
  expect(auditRowsOf(app, first)).toMatchObject([{ resource_id: id, changed_fields_json: '["state"]' }]);
  expect(auditRowsOf(app, second)).toMatchObject([{ resource_id: id, changed_fields_json: "[]" }]);
});

test("the row of a revocation names the members of the actor, and that of a reset the members of the manifest", async () => {
  await using app = await openTestApplication();
  const { actor } = await makeCaller(app);
  await makeCaller(app);
  const revoked = await app.call("POST", `${path}/${actor.id}/revoke`);
  expect(auditRowsOf(app, revoked)).toMatchObject([{ resource_id: actor.id, changed_fields_json: '["state"]' }]);
  const { installation_id } = (await app.call("GET", "/v1/manifest")).json;
  const reset = await app.call("POST", "/v1/manifest/reset", { confirm_installation_id: installation_id });
  expect(auditRowsOf(app, reset)).toMatchObject([{ changed_fields_json: '["installation_id"]' }]);
});

test("a reset of the manifest revokes every credential in its own transaction, or none", async () => {
  await using app = await openTestApplication();
  const callers = [await makeCaller(app), await makeCaller(app, { capability: "observe" })];
  const { installation_id } = (await app.call("GET", "/v1/manifest")).json;
  const reset = () => app.call("POST", "/v1/manifest/reset", { confirm_installation_id: installation_id });
  const unrevoked = () => query(app, "SELECT id FROM credentials WHERE revoked_at IS NULL").length;
  app.sqlite.exec("CREATE TRIGGER no_audit BEFORE INSERT ON audit_events BEGIN SELECT raise(ABORT, 'full'); END");
  expect((await reset()).status).toBeGreaterThanOrEqual(500);
  expect([unrevoked(), (await app.call("GET", "/v1/manifest")).json.installation_id]).toEqual([2, installation_id]);
  app.sqlite.exec("DROP TRIGGER no_audit");
  expect((await reset()).status).toBe(200);
  expect(unrevoked()).toBe(0);
  for (const { headers } of callers)
    expectRefusal(await app.call("GET", "/v1/tasks", undefined, headers), "credential_revoked");
});
