import { ManualClock } from "@belfry/test-kit";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppError } from "../../src/kernel/errors/errors.ts";
import { auditRowsOf, bytesOnDisk, query } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import { callerOf, makeCaller } from "../support/callers.ts";

const dayMs = 86_400_000;

/** What `authenticate` answers: the code of its refusal, or the actor. */
function authenticate(app: TestApplication, headers: readonly string[], now = 0) {
  const answer = app.inside.access.admission.authenticate(headers, now);
  return answer instanceof AppError ? answer.code : answer;
}

test("a token identifies its actor and its credential", async () => {
  await using app = await openTestApplication();
  const { actor, token, credentialId } = await makeCaller(app, { capability: "operate" });
  expect(authenticate(app, [`Bearer ${token}`])).toEqual({
    id: actor.id,
    name: actor.name,
    capability: "operate",
    transport: "remote",
    credentialId,
  });
});

test("missing, malformed, unknown and altered tokens get one answer", async () => {
  await using app = await openTestApplication();
  const { token, headers } = await makeCaller(app);
  const last = token.at(-1) === "x" ? "y" : "x";
  const unknown = `Bearer bat_00000000_${"0".repeat(43)}`;
  const wrong = [[], [""], [token], [`bearer ${token}`], [headers.authorization, headers.authorization]];
  const answers = [...wrong, [unknown], [`Bearer ${token.slice(0, -1)}${last}`]].map((sent) =>
    app.inside.access.admission.authenticate(sent, 0),
  );
  const [first] = answers;
  expect(first).toMatchObject({ code: "unauthorized" });
  for (const answer of answers)
    expect(answer).toMatchObject({ code: "unauthorized", message: (first as AppError).message });
});

test("a token is refused with its reason once its credential or actor may no longer act", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const now = clock.now();
  const caller = await makeCaller(app, { expires_at: new Date(now + dayMs).toISOString() });
  const other = callerOf(app, caller.actor);
  const sent = [caller.headers.authorization];
  const path = `/v1/access/actors/${caller.actor.id}`;
  await app.call("PATCH", path, { state: "disabled" });
  // a disabled actor is known, so its refusal is recorded as its own
  expect(authenticate(app, sent, now)).toMatchObject({ id: caller.actor.id });
  const refused = await app.call("GET", "/v1/tasks", undefined, caller.headers);
  expectRefusal(refused, "forbidden");
  expect(auditRowsOf(app, refused)).toMatchObject([{ operation: "tasks.list", result: "denied" }]);
  expect(authenticate(app, sent, now + dayMs)).toBe("unauthorized");
  await app.call("PATCH", path, { state: "active" });
  expect(authenticate(app, sent, now + dayMs - 1)).toMatchObject({ id: caller.actor.id });
  await app.call("POST", `/v1/access/credentials/${caller.credentialId}/revoke`);
  expect(authenticate(app, sent, now)).toBe("credential_revoked");
  // whoever guesses does not learn that the credential was revoked
  expect(authenticate(app, [sent[0]!.replace(/.{4}$/, "0000")], now)).toBe("unauthorized");
  expect(authenticate(app, [other.headers.authorization], now)).toMatchObject({ id: caller.actor.id });
  await app.call("POST", `${path}/revoke`);
  expect(authenticate(app, [other.headers.authorization], now + dayMs)).toBe("credential_revoked");
});

test("a stolen database contains no token, and neither does the log", async () => {
  await using app = await openTestApplication();
  const callers = [await makeCaller(app), await makeCaller(app, { capability: "observe" })];
  for (const { headers, token } of callers) {
    await app.call("GET", "/v1/tasks", undefined, headers);
    await app.call("POST", "/v1/groups", { name: token.slice(0, 8) }, headers);
  }
  await app.call("POST", `/v1/access/actors/${callers[0]!.actor.id}/revoke`);
  const stored = Buffer.concat([
    bytesOnDisk(app.dataDir),
    ...readdirSync(app.dataDir, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("belfry.db"))
      .map(({ name }) => readFileSync(join(app.dataDir, name))),
    Buffer.from(JSON.stringify(app.logged)),
  ]);
  expect(stored.includes("credentials")).toBe(true);
  for (const { token } of callers) {
    const secret = token.slice(13);
    expect(secret).toHaveLength(43);
    for (const form of [secret, Buffer.from(secret).toString("base64"), Buffer.from(secret).toString("hex")])
      expect(stored.includes(form)).toBe(false);
  }
});

test("last uses are in memory, written once a minute and at the stop, and change no revision", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const { actor, credentialId, headers } = await makeCaller(app);
  const path = `/v1/access/actors/${actor.id}`;
  const stored = () =>
    query(
      app,
      "SELECT last_seen_at AS seen, last_used_at AS used FROM actors a JOIN credentials c ON c.actor_id = a.id",
    );
  clock.jump(5_000);
  const now = clock.now();
  await app.call("GET", "/v1/tasks", undefined, headers);
  expect(stored()).toEqual([{ seen: null, used: null }]);
  const shown = new Date(now).toISOString();
  expect((await app.call("GET", path)).json).toEqual({ ...actor, last_seen_at: shown });
  expect((await app.call("GET", `/v1/access/credentials/${credentialId}`)).json.last_used_at).toBe(shown);
  await clock.advance(60_000);
  expect(stored()).toEqual([{ seen: now, used: now }]);
  await clock.advance(10_000);
  await app.call("GET", "/v1/tasks", undefined, headers);
  await app.inside.access.lastUse.stop();
  expect(stored()).toEqual([{ seen: now + 70_000, used: now + 70_000 }]);
  expect((await app.call("GET", path)).json).toMatchObject({ revision: 1, updated_at: actor.updated_at });
});

test("last uses stay in memory while the database cannot be written", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const { actor, headers } = await makeCaller(app);
  await app.call("GET", "/v1/tasks", undefined, headers);
  const now = clock.now();
  const stored = () => query(app, "SELECT last_seen_at AS seen FROM actors WHERE id = ?", actor.id);
  app.sqlite.pragma("query_only = 1");
  await clock.advance(60_000);
  expect(stored()).toEqual([{ seen: null }]);
  expect(app.logged).toContainEqual(expect.objectContaining({ level: "warn", event: "access.last_use_not_written" }));
  app.sqlite.pragma("query_only = 0");
  await clock.advance(60_000);
  expect(stored()).toEqual([{ seen: now }]);
});

test("the actor of a token is read once for the start of a request, and again for everything later", async () => {
  await using app = await openTestApplication();
  const { admission, credentials } = app.inside.access;
  const caller = await makeCaller(app);
  const now = Date.now();
  const identified = admission.authenticate([caller.headers.authorization], now);
  if (identified instanceof Error) throw identified;
  app.inside.write((unit) => credentials.revoke(unit, caller.credentialId));
  // in a request, nothing can change before the first question, because both are in one turn
  expect(admission.readAgain(identified, now)).toBe(identified);
  expect(() => admission.readAgain(identified, now)).toThrow("revoked");
  expect(admission.authenticate([caller.headers.authorization], now)).toMatchObject({ code: "credential_revoked" });
});
