import { limits } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  auditRowsOf,
  bytesOnDisk,
  enableRemote,
  enrollmentOf,
  everything,
  makeActor,
  makePairing,
  missing,
  query,
} from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import type { Answer, Json } from "../support/harness.ts";
import { openSocket } from "../support/open-socket.ts";
import { openStream } from "../support/stream.ts";

const enroll = (app: TestApplication, body: object): Promise<Answer> => app.call("POST", "/api/v1/enroll", body);
const currentOf = (app: TestApplication, { access_token }: Json) =>
  app.call("GET", "/api/v1/access/current", undefined, { authorization: `Bearer ${access_token}` });
const pairingOf = async (app: TestApplication, { pairing_id }: Json): Promise<Json> =>
  (await app.call("GET", `/v1/access/pairings/${pairing_id}`)).json;
const wrong = "wrong-wrong-wrong-wrong-wrong-wrong";

test("a phrase is exchanged for a credential of a new actor, and the trail names that actor", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app, { name: "Laptop", capability: "operate", kind: "json" });
  const answer = await enroll(app, enrollment);
  expect(answer.status, answer.text).toBe(201);
  const { actor_id, credential_id } = answer.json;
  expect(answer.json).toEqual({
    daemon_id: enrollment.daemon_id,
    actor_id,
    credential_id,
    capability: "operate",
    access_token: expect.stringMatching(/^bat_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/),
    expires_at: null,
  });
  expect((await app.call("GET", `/v1/access/actors/${actor_id}`)).json).toMatchObject({
    name: "Laptop",
    kind: "remote",
    capability: "operate",
    state: "active",
  });
  expect((await app.call("GET", `/v1/access/credentials/${credential_id}`)).json).toMatchObject({
    actor_id,
    display_name: "Laptop",
    kind: "json",
    capability: null,
    state: "active",
  });
  expect(auditRowsOf(app, answer)).toMatchObject([
    {
      operation: "access.enroll",
      actor_id,
      actor_name: "Laptop",
      transport: "remote",
      resource_type: "credential",
      resource_id: credential_id,
      result: "allowed",
    },
  ]);
  expect((await currentOf(app, answer.json)).json).toMatchObject({ actor_id, credential_id, capability: "operate" });
  expect(await pairingOf(app, enrollment)).toMatchObject({ state: "used", tries_left: 4, actor_id });
});

test("a client may name its credential and ask for less, and a new actor gets no more than that", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app, { capability: "manage" });
  const { json } = await enroll(app, {
    ...enrollment,
    display_name: "Ada's laptop",
    kind: "desktop",
    capability: "observe",
  });
  expect(json.capability).toBe("observe");
  expect((await app.call("GET", `/v1/access/actors/${json.actor_id}`)).json.capability).toBe("observe");
  expect((await app.call("GET", `/v1/access/credentials/${json.credential_id}`)).json).toMatchObject({
    display_name: "Ada's laptop",
    kind: "desktop",
    capability: null,
  });
});

test("a client of an existing actor that asks for less gets less, and its actor keeps what it may do", async () => {
  await using app = await openTestApplication();
  const actor = await makeActor(app, { capability: "manage" });
  const [all, less] = [
    await enrollmentOf(app, { actor_id: actor.id }),
    await enrollmentOf(app, { actor_id: actor.id }),
  ];
  const { json: whole } = await enroll(app, all);
  const { json: limited } = await enroll(app, { ...less, capability: "observe" });
  expect([whole.actor_id, whole.capability, limited.actor_id, limited.capability]).toEqual([
    actor.id,
    "manage",
    actor.id,
    "observe",
  ]);
  expect((await app.call("GET", `/v1/access/actors/${actor.id}`)).json).toEqual({
    ...actor,
    last_seen_at: null,
  });
  const may = async () => [
    (await currentOf(app, whole)).json.capability,
    (await currentOf(app, limited)).json.capability,
  ];
  expect(await may()).toEqual(["manage", "observe"]);
  const raised = await app.call("PATCH", `/v1/access/actors/${actor.id}`, { capability: "enroll" });
  expect(raised.status).toBe(200);
  expect(await may()).toEqual(["enroll", "observe"]);
  const headers = { authorization: `Bearer ${limited.access_token}` };
  expectRefusal(await app.call("POST", "/api/v1/tasks", { name: "x" }, headers), "forbidden");
  expect((await app.call("GET", `/v1/access/credentials/${limited.credential_id}`)).json.capability).toBe("observe");
});

test("a capability above that of the pairing is 403, counts a try, and keeps the pairing", async () => {
  await using app = await openTestApplication();
  const actor = await makeActor(app, { capability: "operate" });
  for (const pairing of [{ capability: "operate" }, { actor_id: actor.id }]) {
    const enrollment = await enrollmentOf(app, pairing);
    const answer = await enroll(app, { ...enrollment, capability: "manage" });
    expectRefusal(answer, "forbidden", "capability");
    expect(auditRowsOf(app, answer)).toEqual([]);
    expect(await pairingOf(app, enrollment)).toMatchObject({ state: "open", tries_left: 4 });
    // a wrong phrase learns nothing about the capability
    expectRefusal(await enroll(app, { ...enrollment, phrase: wrong, capability: "manage" }), "unauthorized");
    expect((await enroll(app, enrollment)).json.capability).toBe("operate");
  }
});

test("burnt, expired, used, deleted, wrong and unknown are alike, byte for byte but for the request's id", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const expired = await enrollmentOf(app, { expires_in: "1s" });
  clock.jump(1_000);
  const burnt = await enrollmentOf(app);
  for (let tries = 0; tries < limits.pairingTriesMax; tries++) await enroll(app, { ...burnt, phrase: wrong });
  const used = await enrollmentOf(app);
  expect((await enroll(app, used)).status).toBe(201);
  const deleted = await enrollmentOf(app);
  await app.call("DELETE", `/v1/access/pairings/${deleted.pairing_id}`);
  const revoked = await enrollmentOf(app, { actor_id: (await makeActor(app)).id });
  await app.call("POST", `/v1/access/actors/${(await pairingOf(app, revoked)).actor_id}/revoke`);
  const open = await enrollmentOf(app);
  const { daemon_id, phrase } = open;
  const answers = await Promise.all(
    [
      expired,
      burnt,
      used,
      deleted,
      revoked,
      { ...open, phrase: wrong },
      { ...open, phrase: used.phrase },
      { pairing_id: missing.pairing, daemon_id, phrase },
      { pairing_id: "no id at all", daemon_id, phrase },
    ].map((body) => enroll(app, body)),
  );
  const [first] = answers;
  expectRefusal(first!, "unauthorized", null);
  const withoutId = ({ status, headers, text }: Answer) => ({
    status,
    text,
    headers: { ...headers, "x-request-id": "" },
  });
  for (const answer of answers) expect(withoutId(answer)).toEqual(withoutId(first!));
  expect(query(app, "SELECT * FROM audit_events WHERE operation = 'access.enroll'")).toHaveLength(1);
});

test("a wrong identity is 409, before anything is counted or compared", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app);
  const before = everything(app);
  for (const phrase of [enrollment.phrase, wrong])
    for (const daemon_id of ["ins_another", enrollment.daemon_id.toLowerCase(), ` ${enrollment.daemon_id}`])
      expectRefusal(await enroll(app, { ...enrollment, phrase, daemon_id }), "conflict", "daemon_id");
  expect(everything(app)).toEqual(before);
  expect((await enroll(app, enrollment)).status).toBe(201);
});

test("an unknown pairing writes nothing, however often it is tried", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app);
  app.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const before = everything(app);
  for (let tries = 0; tries < 50; tries++) {
    const pairing_id = `par_${String(tries).padStart(20, "0")}`;
    expectRefusal(await enroll(app, { ...enrollment, pairing_id }), "unauthorized", null);
  }
  expect(everything(app)).toEqual(before);
  // not even the log of the database has grown
  expect(bytesOnDisk(app.dataDir).length).toBe(readFileSync(join(app.dataDir, "belfry.db")).length);
});

test("the last try is as good as the first, and no try follows it", async () => {
  await using app = await openTestApplication();
  const [lucky, late] = [await enrollmentOf(app), await enrollmentOf(app)];
  for (let tries = 1; tries < limits.pairingTriesMax; tries++) await enroll(app, { ...lucky, phrase: wrong });
  expect((await enroll(app, lucky)).status).toBe(201);
  for (let tries = 0; tries < limits.pairingTriesMax; tries++) await enroll(app, { ...late, phrase: wrong });
  expectRefusal(await enroll(app, late), "unauthorized");
  expect(await pairingOf(app, late)).toMatchObject({ state: "burnt", tries_left: 0 });
});

test("a counted try stays valid, whatever later tries do", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app);
  const first = enroll(app, enrollment);
  const others = Array.from({ length: 20 }, () => enroll(app, { ...enrollment, phrase: wrong }));
  expect((await first).status).toBe(201);
  for (const answer of await Promise.all(others)) expectRefusal(answer, "unauthorized", null);
});

test("of 100 enrolments that race for one phrase, exactly one gets a token", async () => {
  await using app = await openTestApplication();
  const actor = await makeActor(app);
  for (const pairing of [{}, { actor_id: actor.id }]) {
    const enrollment = await enrollmentOf(app, pairing);
    const credentials = () => query(app, "SELECT id FROM credentials").length;
    const before = credentials();
    const answers = await Promise.all(Array.from({ length: 100 }, () => enroll(app, enrollment)));
    const [winner, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    expect((await currentOf(app, winner!.json)).status).toBe(200);
    for (const answer of answers.filter((one) => one !== winner)) expectRefusal(answer, "unauthorized", null);
    expect(credentials() - before).toBe(1);
  }
});

test("10,000 guessed phrases over 2,000 pairings get no token and burn every pairing", async () => {
  await using app = await openTestApplication();
  // once, rather than by each of them
  await enableRemote(app);
  const enrollments = await Promise.all(Array.from({ length: 2_000 }, () => enrollmentOf(app)));
  const statuses = new Set<number>();
  for (let round = 0; round < limits.pairingTriesMax; round++) {
    // guesses with the form of a phrase: those of the neighbours
    const guesses = enrollments.map((enrollment, index) =>
      enroll(app, { ...enrollment, phrase: enrollments[(index + 1 + round) % enrollments.length].phrase }),
    );
    for (const { status } of await Promise.all(guesses)) statuses.add(status);
  }
  expect([...statuses]).toEqual([401]);
  expect(query(app, "SELECT COUNT(*) AS credentials FROM credentials")).toEqual([{ credentials: 0 }]);
  expect(query(app, "SELECT tries, COUNT(*) AS pairings FROM pairings GROUP BY tries")).toEqual([
    { tries: 5, pairings: 2_000 },
  ]);
  const [first] = enrollments;
  expectRefusal(await enroll(app, first), "unauthorized", null);
});

test("an enrolment whose audit row cannot be written gives no token, and its try stays counted", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app);
  app.sqlite.exec("CREATE TRIGGER unwritable BEFORE INSERT ON audit_events BEGIN SELECT RAISE(FAIL, 'no'); END");
  expectRefusal(await enroll(app, enrollment), "internal", null);
  app.sqlite.exec("DROP TRIGGER unwritable");
  expect(await pairingOf(app, enrollment)).toMatchObject({ state: "open", tries_left: 4, actor_id: null });
  // a try that cannot be counted is not compared
  app.sqlite.pragma("query_only = 1");
  for (const phrase of [enrollment.phrase, wrong])
    expectRefusal(await enroll(app, { ...enrollment, phrase }), "audit_unavailable", null);
  app.sqlite.pragma("query_only = 0");
  expect(await pairingOf(app, enrollment)).toMatchObject({ state: "open", tries_left: 4, actor_id: null });
  expect(query(app, "SELECT id FROM credentials")).toEqual([]);
  expect((await enroll(app, enrollment)).status).toBe(201);
});

test("a burnt pairing whose last try is right gets nothing once another actor has its name", async () => {
  await using app = await openTestApplication();
  const enrollment = await enrollmentOf(app, { name: "Laptop" });
  for (let tries = 1; tries < limits.pairingTriesMax; tries++) await enroll(app, { ...enrollment, phrase: wrong });
  // the name is free from the last try on, and this call is committed before that of the enrolment
  const actor = app.call("POST", "/v1/access/actors", { name: "Laptop", capability: "observe" });
  const answers = [await actor, await enroll(app, enrollment)];
  const granted = answers.filter(({ status }) => status === 201);
  expect(granted).toHaveLength(1);
});

test("an enrolment has events of its actor only, and a pairing has none", async () => {
  await using opened = await openSocket();
  const { app, path } = opened;
  await using stream = await openStream(path, "/v1/events?kinds=actor,group");
  await stream.next();
  const enrollment = await enrollmentOf(app);
  await enroll(app, { ...enrollment, phrase: wrong });
  const { json } = await enroll(app, enrollment);
  expect((await stream.next()).data).toMatchObject({ kind: "actor", verb: "created", id: json.actor_id });
  expect((await stream.next()).data).toMatchObject({ kind: "actor", verb: "updated", id: json.actor_id });
  expect(stream.frames).toHaveLength(3);
});

test("neither a phrase nor a token is in a file, a log line, an event or an answer of another call", async () => {
  await using opened = await openSocket();
  const { app, path } = opened;
  await using stream = await openStream(path, "/v1/events");
  await stream.next();
  const pairings = [await makePairing(app), await makePairing(app), await makePairing(app)];
  const [used, mistyped, misdirected] = pairings.map(({ pairing_id, phrase, daemon_id }) => ({
    pairing_id,
    phrase,
    daemon_id,
  }));
  const { json } = await enroll(app, used!);
  const answers = [
    await enroll(app, { ...mistyped, phrase: `${mistyped!.phrase}x` }),
    await enroll(app, { ...misdirected, daemon_id: "ins_another" }),
    await enroll(app, { ...misdirected, phrase: [misdirected!.phrase] }),
    await enroll(app, { ...misdirected, [misdirected!.phrase]: 1 }),
    await app.call("POST", "/api/v1/enroll", JSON.stringify(misdirected).slice(0, -1)),
    await app.call("POST", "/api/v1/enroll", { ...misdirected, display_name: "" }),
    await app.call("GET", "/v1/access/pairings"),
    await app.call("GET", "/v1/audit?limit=1000"),
    await app.call("GET", `/v1/access/actors/${json.actor_id}/credentials`),
    await currentOf(app, json),
  ];
  for (let frames = 0; frames < 2; frames++) await stream.next();
  const folder = readdirSync(app.dataDir, { recursive: true, withFileTypes: true });
  const files = folder.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(files.length).toBeGreaterThan(3);
  const kept = Buffer.concat([
    ...files.map((file) => readFileSync(file)),
    Buffer.from(JSON.stringify([app.logged, stream.frames])),
    // the unknown member that a caller sends as its own name is repeated, so it is not searched
    ...answers.filter((_, index) => index !== 3).map(({ text }) => Buffer.from(text)),
  ]);
  const secrets = [...pairings.map(({ phrase }) => phrase as string), (json.access_token as string).slice(13)];
  for (const secret of secrets)
    for (const form of [secret, secret.replaceAll("-", ""), secret.replaceAll("-", " ")])
      for (const text of [form, Buffer.from(form).toString("base64"), Buffer.from(form).toString("hex")])
        expect(kept.includes(text)).toBe(false);
});
