import { ManualClock } from "@belfry/test-kit";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { type Answer, answerOf } from "../support/harness.ts";
import { auditRowsOf, everything, fresh, query } from "../support/api.ts";
import type { TestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import { makeCaller, type TestCaller } from "../support/callers.ts";
import { openSocket, type OpenSocket } from "../support/open-socket.ts";

const dayMs = 86_400_000;

/** Sends the head of a request, and its body only after `meanwhile`: the daemon has admitted the caller by then. */
function trickle(
  { path }: OpenSocket,
  of: { readonly target: string; readonly body: object; readonly headers: object },
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  const body = JSON.stringify(of.body);
  return new Promise((resolve, reject) => {
    const headers = {
      ...of.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      // the daemon asks for the body once it has admitted the caller
      expect: "100-continue",
    };
    const outgoing = request({ socketPath: path, method: "POST", path: of.target, headers }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
      incoming.on("end", () => resolve(answerOf(incoming, Buffer.concat(parts).toString("utf8"))));
    });
    outgoing.on("error", reject);
    outgoing.on("continue", () => {
      outgoing.write(body.slice(0, 5));
      meanwhile().then(() => outgoing.end(body.slice(5)), reject);
    });
    outgoing.flushHeaders();
  });
}

interface Change {
  readonly name: string;
  readonly code: "credential_revoked" | "forbidden" | "unauthorized";
  readonly make: (app: TestApplication, caller: TestCaller, clock: ManualClock) => unknown;
}

const changes: readonly Change[] = [
  {
    name: "a revocation of the actor",
    code: "credential_revoked",
    make: (app, { actor }) => app.call("POST", `/v1/access/actors/${actor.id}/revoke`),
  },
  {
    name: "a revocation of the credential",
    code: "credential_revoked",
    make: (app, { credentialId }) => app.call("POST", `/v1/access/credentials/${credentialId}/revoke`),
  },
  {
    name: "a reset of the manifest",
    code: "credential_revoked",
    make: async (app) => {
      const { installation_id } = (await app.call("GET", "/v1/manifest")).json;
      return app.call("POST", "/v1/manifest/reset", { confirm_installation_id: installation_id });
    },
  },
  {
    name: "a disabling",
    code: "forbidden",
    make: (app, { actor }) => app.call("PATCH", `/v1/access/actors/${actor.id}`, { state: "disabled" }),
  },
  {
    name: "a lowering",
    code: "forbidden",
    make: (app, { actor }) => app.call("PATCH", `/v1/access/actors/${actor.id}`, { capability: "observe" }),
  },
  { name: "the expiry", code: "unauthorized", make: (_, __, clock) => clock.jump(dayMs) },
];

const requests = [
  { operation: "groups.create", target: "/v1/groups", body: () => ({ name: fresh("group") }) },
  {
    operation: "import.create",
    target: "/v1/import",
    // large enough to be parsed in the thread
    body: () => ({ tasks: [{ key: "t", name: fresh("task"), description: "x".repeat(9_000) }] }),
  },
  { operation: "triggers.fire", target: "/v1/triggers/fire", body: () => ({ key: "bfk_00000000_unknown" }) },
] as const;

describe.each(changes)("a request whose body arrives over $name", ({ code, make }) => {
  test.each(requests)("commits nothing: $operation", async ({ operation, target, body }) => {
    const clock = new ManualClock();
    await using opened = await openSocket({ clock });
    const { app } = opened;
    const caller = await makeCaller(app, { expires_at: new Date(clock.now() + dayMs).toISOString() });
    let before: unknown;
    const rows = () => everything(app, ["audit_events"]);
    const answer = await trickle(opened, { target, body: body(), headers: caller.headers }, async () => {
      await make(app, caller, clock);
      before = rows();
    });
    expectRefusal(answer, code, null);
    expect(rows()).toEqual(before);
    expect(auditRowsOf(app, answer)).toMatchObject([{ operation, result: "denied", error_code: code }]);
    // a new request gets the same answer
    const again = await app.call("POST", target, body(), caller.headers);
    expect([again.status, again.json]).toEqual([answer.status, answer.json]);
  });
});

test("a read whose body arrives over a revocation shows nothing, and the refusal is audited", async () => {
  await using opened = await openSocket();
  const { app } = opened;
  const caller = await makeCaller(app);
  const body = { draft: { kind: "cron", expression: "0 3 * * *" } };
  const answer = await trickle(opened, { target: "/v1/schedules/preview", body, headers: caller.headers }, () =>
    app.call("POST", `/v1/access/actors/${caller.actor.id}/revoke`),
  );
  expectRefusal(answer, "credential_revoked", null);
  expect(auditRowsOf(app, answer)).toMatchObject([{ operation: "schedules.preview", result: "denied" }]);
});

test("a malformed body that arrives over a revocation is answered as a new request would be", async () => {
  await using opened = await openSocket();
  const { app } = opened;
  const caller = await makeCaller(app);
  const answer = await trickle(opened, { target: "/v1/groups", body: { surprise: 1 }, headers: caller.headers }, () =>
    app.call("POST", `/v1/access/actors/${caller.actor.id}/revoke`),
  );
  expectRefusal(answer, "credential_revoked", null);
});

test("calls that share a commit with the revocation of their actor are carried out before it or refused, never after it", async () => {
  await using opened = await openSocket();
  const { app } = opened;
  const caller = await makeCaller(app);
  const create = () => app.call("POST", "/v1/groups", { name: fresh("group") }, caller.headers);
  const calls = Array.from({ length: 60 }, (_, index) =>
    index === 30 ? app.call("POST", `/v1/access/actors/${caller.actor.id}/revoke`) : create(),
  );
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(0);
  const rows = query<{ readonly number: number; readonly operation: string; readonly result: string }>(
    app,
    "SELECT number, operation, result FROM audit_events ORDER BY number",
  );
  const revokedAt = rows.find(({ operation }) => operation === "actors.revoke")!.number;
  const done = rows.filter(({ operation, result }) => operation === "groups.create" && result === "allowed");
  expect(done.length).toBe(answers.filter(({ status }) => status === 201).length);
  for (const { number } of done) expect(number).toBeLessThan(revokedAt);
});

test("a request never gains rights while its body arrives", async () => {
  await using opened = await openSocket();
  const { app } = opened;
  const caller = await makeCaller(app, { capability: "manage" });
  const answer = await trickle(opened, { target: "/v1/groups", body: { name: "g" }, headers: caller.headers }, () =>
    app.call("PATCH", `/v1/access/actors/${caller.actor.id}`, { capability: "enroll", name: "renamed" }),
  );
  expect(answer.status).toBe(201);
  const { audit_events: rows } = (await app.call("GET", "/v1/audit?operation=groups.create")).json;
  expect(rows).toMatchObject([{ actor_id: caller.actor.id, actor_name: "renamed", transport: "remote" }]);
});
