import { catalogue } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import { connect as connectTls, type SecureVersion } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../support/harness.ts";
import { expectRefusal, sampleOf, seen } from "../support/call.ts";
import { makeTask } from "../support/api.ts";
import { makeToken, type RemoteDaemon, startRemoteDaemon } from "../support/remote.ts";

/* One daemon whose limits of requests are out of the way: `limits.test.ts` is about these. */
const limits = {
  enrollmentsPerMinute: 1_000_000,
  publicRequestsPerMinute: 1_000_000,
  requestsPerSecond: 1_000_000,
  requestsBurst: 1_000_000,
  unauthenticatedConnections: 1_000,
  unauthenticatedConnectionsPerAddress: 1_000,
  connections: 1_000,
  connectionsPerCredential: 1_000,
};
let daemon: RemoteDaemon;
let token: string;
beforeAll(async () => {
  daemon = await startRemoteDaemon({ limits });
  ({ token } = await makeToken(daemon));
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

/** An answer without the members that differ between two equal answers. */
function comparable({ status, headers, text }: Answer) {
  const { "x-request-id": id, date: _date, ...rest } = headers;
  expect(id).toMatch(/^req_[0-9A-Za-z]{20}$/);
  return { status, headers: rest, text };
}

function handshake(versions: { readonly minVersion?: SecureVersion; readonly maxVersion?: SecureVersion }) {
  return new Promise<string | null>((resolve) => {
    const socket = connectTls({
      host: "127.0.0.1",
      port: daemon.port,
      ca: daemon.ca,
      servername: "localhost",
      ...versions,
    });
    socket.once("secureConnect", () => {
      resolve(socket.getProtocol());
      socket.destroy();
    });
    socket.once("error", () => resolve(null));
  });
}

test("only TLS 1.3 is spoken, also after a renewal", async () => {
  for (let renewal = 0; renewal < 2; renewal++) {
    expect(await handshake({})).toBe("TLSv1.3");
    expect(await handshake({ maxVersion: "TLSv1.2" })).toBeNull();
    expect(await handshake({ minVersion: "TLSv1", maxVersion: "TLSv1.1" })).toBeNull();
    expect((await daemon.call("POST", "/v1/remote/renew")).status).toBe(200);
  }
});

describe("without a token", () => {
  test("health and the manifest are public, and the manifest names the remote API", async () => {
    expect((await daemon.remote({ path: "/api/v1/health" })).json).toEqual({ status: "ok" });
    const { json } = await daemon.remote({ path: "/api/v1/manifest" });
    expect(json.capabilities).toContain("remote_api_v1");
    expect(json.capabilities).toEqual(json.capabilities.toSorted());
    expect(json).toMatchObject({ protocol_versions: { local: "v1", remote: null }, operating_mode: "local_only" });
  });

  test("every other operation of the list is 401, and leaves no row in the trail", async () => {
    const before = (await daemon.call("GET", "/v1/audit")).json.audit_events.length;
    for (const operation of catalogue.map(seen)) {
      if (!operation.transports.includes("remote") || operation.isPublic === true) continue;
      const path = `/api/v1${operation.path.replaceAll(/\{\w+\}/g, "x")}`;
      const answer = await daemon.remote({ method: operation.method.toUpperCase(), path });
      expectRefusal(answer, "unauthorized", null);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
    expect((await daemon.call("GET", "/v1/audit")).json.audit_events).toHaveLength(before);
  });
});

test("HEAD exists wherever GET does", async () => {
  const answer = await daemon.remote({ method: "HEAD", path: "/api/v1/tasks", token });
  expect([answer.status, answer.text]).toEqual([200, ""]);
  expect((await daemon.remote({ method: "HEAD", path: "/api/v1/health" })).status).toBe(200);
});

describe("an operation that is not on the list answers exactly as an unknown path", () => {
  test.each([
    ["without a token", () => ({})],
    ["with a token", () => ({ authorization: `Bearer ${token}` })],
    ["with a wrong token", () => ({ authorization: `Bearer bat_${"0".repeat(8)}_${"0".repeat(43)}` })],
  ])("%s", async (_who, headersOf) => {
    const headers = headersOf();
    const unknown = comparable(await daemon.remote({ path: "/api/v1/no-such-path", headers }));
    expect(unknown.status).toBe(404);
    const excluded = catalogue.map(seen).filter(({ transports }) => !transports.includes("remote"));
    expect(excluded.length).toBeGreaterThan(20);
    for (const operation of excluded) {
      // the samples of this module move the port
      const sample =
        operation.resource === "remote" ? { path: `/v1${operation.path}` } : await sampleOf(daemon, operation);
      const method = operation.method.toUpperCase();
      const path = `/api${sample.path}`;
      const answer = await daemon.remote({ method, path, headers, body: sample.body });
      expect(comparable(answer), operation.id).toEqual(unknown);
    }
    // neither a wrong method nor the local base says more
    for (const [method, path] of [
      ["PUT", "/api/v1/tasks"],
      ["DELETE", "/api/v1/health"],
      ["OPTIONS", "/api/v1/tasks"],
      ["GET", "/v1/tasks"],
      ["GET", "/api/v1/tasks/"],
      ["GET", "/"],
    ] as const)
      expect(comparable(await daemon.remote({ method, path, headers })), `${method} ${path}`).toEqual(unknown);
  });
});

describe("the header with the token", () => {
  const path = "/api/v1/tasks";

  test("is accepted in exactly one form", async () => {
    expect((await daemon.remote({ path, token })).status).toBe(200);
    for (const authorization of [
      `bearer ${token}`,
      `BEARER ${token}`,
      `Bearer  ${token}`,
      `Bearer\t${token}`,
      `Bearer ${token} x`,
      `Bearer ${token},Bearer ${token}`,
      `Basic ${token}`,
      `Token ${token}`,
      token,
      `Bearer ${token.toLowerCase()}`,
      "Bearer",
      "",
    ])
      expectRefusal(await daemon.remote({ path, headers: { authorization } }), "unauthorized", null);
  });

  test("is refused twice, and a token in the query is refused too", async () => {
    const authorization = [`Bearer ${token}`, `Bearer ${token}`];
    expectRefusal(await daemon.remote({ path, headers: { authorization } }), "unauthorized", null);
    expectRefusal(await daemon.remote({ path: `${path}?access_token=${token}` }), "unauthorized", null);
    const both = await daemon.remote({ path: `${path}?access_token=${token}`, token });
    expectRefusal(both, "validation_failed", "access_token");
    expect(both.text).not.toContain(token);
  });
});

test.each([
  { origin: "https://belfry.example" },
  { origin: "null" },
  { referer: "https://belfry.example/" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-origin" },
  // a typed address
  { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
])("a browser is refused: %j", async (headers) => {
  for (const path of ["/api/v1/health", "/api/v1/tasks", "/unknown"])
    expectRefusal(await daemon.remote({ path, token, headers }), "origin_rejected", null);
});

test("Node's own fetch and any Host are accepted", async () => {
  const headers = { "sec-fetch-mode": "cors", host: "anything.example:1" };
  expect((await daemon.remote({ path: "/api/v1/tasks", token, headers })).status).toBe(200);
});

test("a remote caller can run a task, and the trail names the actor", async () => {
  const { token: operator, actor } = await makeToken(daemon, "operate");
  const { id } = await makeTask(daemon);
  const ran = await daemon.remote({ method: "POST", path: `/api/v1/tasks/${id}/run`, token: operator });
  expect(ran.status, ran.text).toBe(202);
  const { json } = await daemon.call("GET", `/v1/audit?actor_id=${actor.id}`);
  expect(json.audit_events).toMatchObject([{ operation: "tasks.run", transport: "remote", result: "allowed" }]);
});

test("a revoked credential ends its open streams, and no other", async () => {
  const [first, second] = [await makeToken(daemon, "observe"), await makeToken(daemon, "observe")];
  const read = (held: string) => {
    const stream = { isOpen: false, isEnded: false };
    daemon
      .remote({ path: "/api/v1/events", token: held, onPart: () => void (stream.isOpen = true) })
      .catch(() => void (stream.isEnded = true));
    return stream;
  };
  const [revoked, other] = [read(first.token), read(second.token)];
  await until("both streams", () => revoked.isOpen && other.isOpen);
  await daemon.call("POST", `/v1/access/credentials/${first.credentialId}/revoke`);
  await until("the end of the stream", () => revoked.isEnded);
  expect(other.isEnded).toBe(false);
  expectRefusal(await daemon.remote({ path: "/api/v1/tasks", token: first.token }), "credential_revoked", null);
  await daemon.call("POST", `/v1/access/actors/${second.actor.id}/revoke`);
  await until("the end of the other", () => other.isEnded);
});

test("a disabled actor is 403, and the refusal is recorded as its own", async () => {
  const { token: disabled, actor } = await makeToken(daemon, "operate");
  await daemon.call("PATCH", `/v1/access/actors/${actor.id}`, { state: "disabled" });
  expectRefusal(await daemon.remote({ path: "/api/v1/tasks", token: disabled }), "forbidden", null);
  const { json } = await daemon.call("GET", `/v1/audit?actor_id=${actor.id}`);
  expect(json.audit_events).toMatchObject([{ operation: "tasks.list", transport: "remote", result: "denied" }]);
});
