import { limits, parseInvitation } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { builtInActor, enableRemote, enrollmentOf, fresh, makeActor, makePairing, query } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import { makeCaller } from "../support/callers.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

const read = async (app: TestApplication, id: string) => (await app.call("GET", `/v1/access/pairings/${id}`)).json;
const listed = async (app: TestApplication, state: string) =>
  (await app.call("GET", `/v1/access/pairings?state=${state}`)).json.pairings.map(({ id }: { id: string }) => id);
const enroll = (app: TestApplication, body: object) => app.call("POST", "/api/v1/enroll", body);

test("a pairing shows its phrase once, with an invitation that contains the daemon's root", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const made = await makePairing(app, { name: "Laptop", capability: "manage", kind: "desktop", expires_in: "90s" });
  const { json: remote } = await app.call("GET", "/v1/remote");
  const { json: manifest } = await app.call("GET", "/v1/manifest");
  const { json: root } = await app.call("GET", "/v1/remote");
  expect(made.phrase.split("-")).toHaveLength(6);
  expect(made).toMatchObject({
    daemon_id: manifest.installation_id,
    expires_at: new Date(clock.now() + 90_000).toISOString(),
    addresses: remote.addresses,
    certificate_sha256: root.certificate.root_sha256,
    public_key_sha256: root.certificate.public_key_sha256,
  });
  const invitation = parseInvitation(made.invitation);
  expect(invitation).toMatchObject({
    pairingId: made.pairing_id,
    daemonId: made.daemon_id,
    addresses: remote.addresses,
    trust: { kind: "root" },
  });
  expect(made.invitation.length).toBeLessThan(1_000);
  const shown = await app.call("GET", `/v1/access/pairings/${made.pairing_id}`);
  expect(shown.json).toEqual({
    id: made.pairing_id,
    actor_id: null,
    name: "Laptop",
    capability: "manage",
    kind: "desktop",
    state: "open",
    tries_left: 5,
    created_at: new Date(clock.now()).toISOString(),
    expires_at: made.expires_at,
  });
  for (const text of [made.invitation, shown.text, (await app.call("GET", "/v1/access/pairings")).text])
    for (const word of made.phrase.split("-")) expect(text).not.toContain(`${word}-`);
});

test("no pairing is created while the remote API is off", async () => {
  await using app = await openTestApplication();
  expectRefusal(await app.call("POST", "/v1/access/pairings", { name: "x", capability: "observe" }), "conflict");
  await enableRemote(app);
  await makePairing(app);
  await app.call("POST", "/v1/remote/disable");
  expectRefusal(await app.call("POST", "/v1/access/pairings", { name: "x", capability: "observe" }), "conflict");
});

test("a pairing is for an actor that can have a credential, or for a new one, and never for both", async () => {
  await using app = await openTestApplication();
  const actor = await makeActor(app, { capability: "manage" });
  const pairing = await makePairing(app, { actor_id: actor.id });
  expect(await read(app, pairing.pairing_id)).toMatchObject({
    actor_id: actor.id,
    name: actor.name,
    capability: "manage",
    kind: "cli",
  });
  // an existing actor may still change
  await app.call("PATCH", `/v1/access/actors/${actor.id}`, { name: "Renamed", capability: "observe" });
  expect(await read(app, pairing.pairing_id)).toMatchObject({ name: "Renamed", capability: "observe" });
  const create = (body: object) => app.call("POST", "/v1/access/pairings", body);
  expectRefusal(await create({ actor_id: (await builtInActor(app)).id }), "conflict");
  expectRefusal(await create({ actor_id: actor.id, name: "x" }), "validation_failed", "actor_id");
  expectRefusal(await create({ capability: "observe" }), "validation_failed", "actor_id");
  expectRefusal(await create({ name: "x" }), "validation_failed", "capability");
  for (const expires_in of ["999ms", "10m1s", "0s", "11m"])
    expectRefusal(await create({ name: "x", capability: "observe", expires_in }), "validation_failed", "expires_in");
  await app.call("POST", `/v1/access/actors/${actor.id}/revoke`);
  expectRefusal(await create({ actor_id: actor.id }), "conflict");
  expect((await read(app, pairing.pairing_id)).state).toBe("expired");
});

test("an open pairing reserves the name of its actor, and one that has ended reserves nothing", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const other = await makeActor(app);
  const pair = (name: string) => app.call("POST", "/v1/access/pairings", { name, capability: "observe" });
  const takes = async (name: string) => [
    await app.call("POST", "/v1/access/actors", { name, capability: "observe" }),
    await app.call("PATCH", `/v1/access/actors/${other.id}`, { name }),
    await pair(name),
  ];
  const ends: readonly ((made: { pairing_id: string; phrase: string; daemon_id: string }) => unknown)[] = [
    ({ pairing_id }) => app.call("DELETE", `/v1/access/pairings/${pairing_id}`),
    () => clock.jump(10 * minuteMs),
    async ({ pairing_id, daemon_id }) => {
      for (let tries = 0; tries < 5; tries++) await enroll(app, { pairing_id, daemon_id, phrase: "wrong" });
    },
  ];
  for (const end of ends) {
    const name = fresh("Böard");
    const made = await makePairing(app, { name });
    for (const answer of await takes(name.toUpperCase())) expectRefusal(answer, "validation_failed", "name");
    await end(made);
    const again = await makePairing(app, { name });
    expect(await read(app, again.pairing_id)).toMatchObject({ state: "open" });
  }
  const { json: actor } = await app.call("POST", "/v1/access/actors", { name: "Taken", capability: "observe" });
  expectRefusal(await pair("taken"), "validation_failed", "name");
  await app.call("POST", `/v1/access/actors/${actor.id}/revoke`);
  expect((await pair("taken")).status).toBe(201);
});

test("the list filters by what became of a pairing, and a pairing is removed a day after it has ended", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const expired = await makePairing(app, { expires_in: "1s" });
  clock.jump(1_000);
  const used = await enrollmentOf(app);
  expect((await enroll(app, used)).status).toBe(201);
  const burnt = await enrollmentOf(app);
  for (let tries = 0; tries < limits.pairingTriesMax; tries++) await enroll(app, { ...burnt, phrase: "wrong" });
  const open = await makePairing(app);
  expect(await listed(app, "open")).toEqual([open.pairing_id]);
  expect(await listed(app, "used")).toEqual([used.pairing_id]);
  expect(await listed(app, "burnt")).toEqual([burnt.pairing_id]);
  expect(await listed(app, "expired")).toEqual([expired.pairing_id]);
  expect(await read(app, used.pairing_id)).toMatchObject({ state: "used", tries_left: 4 });
  expect(await read(app, burnt.pairing_id)).toMatchObject({ state: "burnt", tries_left: 0 });
  clock.jump(10 * minuteMs);
  expect(await listed(app, "expired")).toEqual([open.pairing_id, expired.pairing_id]);
  expect(await listed(app, "burnt")).toEqual([burnt.pairing_id]);
  clock.jump(dayMs);
  const last = await makePairing(app);
  expect(query(app, "SELECT id FROM pairings")).toEqual([{ id: last.pairing_id }]);
});

test("a deleted pairing can no longer be used, and its credential stays valid", async () => {
  await using app = await openTestApplication();
  const [unused, used] = [await enrollmentOf(app), await enrollmentOf(app)];
  const { json: enrolled } = await enroll(app, used);
  for (const { pairing_id } of [unused, used])
    expect((await app.call("DELETE", `/v1/access/pairings/${pairing_id}`)).status).toBe(204);
  expectRefusal(await enroll(app, unused), "unauthorized");
  const headers = { authorization: `Bearer ${enrolled.access_token}` };
  expect((await app.call("GET", "/api/v1/access/current", undefined, headers)).status).toBe(200);
});

test("a new identity ends every open pairing", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app);
  const body = { confirm_installation_id: enrollment.daemon_id };
  const { json: manifest } = await app.call("POST", "/v1/manifest/reset", body);
  expect(await read(app, enrollment.pairing_id)).toMatchObject({ state: "expired", tries_left: 5 });
  expectRefusal(await enroll(app, enrollment), "conflict", "daemon_id");
  expectRefusal(await enroll(app, { ...enrollment, daemon_id: manifest.installation_id }), "unauthorized");
});

test("neither a pairing nor an enrolment accepts an Idempotency-Key, and a refused one counts no try", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app);
  const headers = { "idempotency-key": "once" };
  const pairing = { name: "x", capability: "observe" };
  for (const [path, body] of [
    ["/v1/access/pairings", pairing],
    ["/api/v1/enroll", enrollment],
  ] as const)
    expectRefusal(await app.call("POST", path, body, headers), "validation_failed", "Idempotency-Key");
  expect(await read(app, enrollment.pairing_id)).toMatchObject({ tries_left: 5 });
});

test("the caller's own access shows its actor, its credential and what it may do now", async () => {
  await using app = await openTestApplication();
  const expires_at = "2990-01-01T00:00:00.000Z";
  const { actor, credentialId, headers } = await makeCaller(app, { capability: "operate", expires_at });
  const current = async (path: string, more = {}) => (await app.call("GET", path, undefined, more)).json;
  expect(await current("/api/v1/access/current", headers)).toEqual({
    actor_id: actor.id,
    actor_name: actor.name,
    credential_id: credentialId,
    capability: "operate",
    expires_at,
  });
  await app.call("PATCH", `/v1/access/actors/${actor.id}`, { name: "Renamed", capability: "observe" });
  expect(await current("/api/v1/access/current", headers)).toMatchObject({
    actor_name: "Renamed",
    capability: "observe",
  });
  expect(await current("/v1/access/current")).toMatchObject({
    actor_name: "local",
    credential_id: null,
    capability: "enroll",
    expires_at: null,
  });
});
