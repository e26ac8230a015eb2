import { tempDir, until } from "@belfry/test-kit";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCa, type PrivateCa } from "../../server/tests/support/certificates.ts";
import { isApiError, isUncertainOutcomeError } from "../src/index.ts";
import { connectRemote, GrantReducedError, isGrantReducedError, type RemoteProfile } from "../src/remote.ts";
import { runProgram } from "./bundle.ts";
import {
  accessToken,
  type Answer,
  connectTo,
  currentAccess,
  daemonLeaf,
  type FakeRemote,
  fakeRemote,
  profileOf,
  publicKeySha256,
  remoteManifest,
  startImpostor,
} from "./fake-remote-daemon.ts";

let ca: PrivateCa & AsyncDisposable;
beforeAll(async () => {
  ca = await createCa();
});
afterAll(() => ca[Symbol.asyncDispose]());

const bearer = `Bearer ${accessToken}`;
const checks = ["/manifest", "/access/current"];
const cut: Answer = () => (response) => void response.destroy();
const startDaemon = (answer?: Answer) => fakeRemote(daemonLeaf(ca), answer);
const pathsOf = (daemon: FakeRemote) => daemon.seen.map(({ path }) => path);
const callsOf = (daemon: FakeRemote) => pathsOf(daemon).filter((path) => !checks.includes(path));

describe("a new connection", () => {
  test("checks the identity without the token, then the grant, and is then kept for calls", async () => {
    await using daemon = await startDaemon();
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
    await client.tasks.create({ name: "Report" });
    const seen = daemon.seen.map(({ method, path, headers, connection }) => [
      method,
      path,
      headers.authorization,
      connection,
    ]);
    expect(seen).toEqual([
      ["GET", "/manifest", undefined, 1],
      ["GET", "/access/current", bearer, 1],
      ["GET", "/tasks/tsk_1", bearer, 1],
      ["POST", "/tasks", bearer, 1],
    ]);
  });

  test("sends the token of the profile, whatever headers the caller adds", async () => {
    await using daemon = await startDaemon();
    const headers = { authorization: "Bearer other", "x-trace": "1" };
    await using client = connectTo(profileOf(ca.ca, daemon.address), { headers });
    await client.tasks.get("tsk_1", { headers });
    expect(daemon.seen.at(-1)?.headers).toMatchObject({ authorization: bearer, "x-trace": "1" });
    expect(JSON.stringify(daemon.seen)).not.toContain("Bearer other");
  });

  test("is refused by a daemon that does not offer this API", async () => {
    await using daemon = await startDaemon(({ path }) =>
      path === "/manifest" ? { json: { ...remoteManifest, capabilities: ["remote_api_v2"] } } : null,
    );
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({ name: "CompatibilityError" });
    expect(pathsOf(daemon)).toEqual(["/manifest"]);
  });

  test.each([
    ["unauthorized", 401],
    ["credential_revoked", 401],
    ["forbidden", 403],
  ] as const)("that is refused with %s sends nothing else, and is not tried again", async (code, status) => {
    await using daemon = await startDaemon(({ path }) =>
      path === "/access/current" ? { status, json: { error: { code, field: null, message: "refused" } } } : null,
    );
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    const error: unknown = await client.tasks.create({ name: "Report" }).catch((reason: unknown) => reason);
    expect(isApiError(error, code)).toBe(true);
    await expect(client.events.subscribe().next()).rejects.toMatchObject({ code });
    expect(pathsOf(daemon)).toEqual([...checks, ...checks]);
  });

  const limited = { status: 429, json: { error: { code: "rate_limited", field: null, message: "slower" } } };

  test("that meets a rate limit is tried again for a read, and sends no mutation", async () => {
    let refusals = 0;
    await using daemon = await startDaemon(({ path }) =>
      path === "/access/current" && refusals++ < 2 ? limited : null,
    );
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    const error: unknown = await client.tasks.create({ name: "Report" }).catch((reason: unknown) => reason);
    expect(isApiError(error, "rate_limited")).toBe(true);
    expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
    expect(callsOf(daemon)).toEqual(["/tasks/tsk_1"]);
  });

  const busyAddress: Answer = ({ path, headers }) =>
    path === "/manifest" && headers.authorization === undefined ? limited : null;

  test("asks with the token if others behind the same address have used up its limit", async () => {
    await using daemon = await startDaemon(busyAddress);
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
    expect(pathsOf(daemon)).toEqual(["/manifest", ...checks, "/tasks/tsk_1"]);
  });

  test("does not ask with the token if the certificate does not prove the installation", async () => {
    const leaf = daemonLeaf(ca);
    await using daemon = await fakeRemote(leaf, busyAddress);
    const trust = { kind: "key", publicKeySha256: publicKeySha256(leaf.cert), authority: ca.ca } as const;
    await using client = connectTo({ ...profileOf(ca.ca, daemon.address), trust }, { retries: 0 });
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({ code: "rate_limited" });
    expect(JSON.stringify(daemon.seen)).not.toContain(accessToken);
  });
});

describe("the grant", () => {
  const granting = (capability: () => string) =>
    startDaemon(({ path }) =>
      path === "/access/current" ? { json: { ...currentAccess, capability: capability() } } : null,
    );

  test.each(["operate", "manage", "enroll"])("%s is enough for a profile that expects operate", async (capability) => {
    await using daemon = await granting(() => capability);
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
  });

  test.each(["observe", "nothing"])("%s is too low: no call is sent or repeated", async (capability) => {
    await using daemon = await granting(() => capability);
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    const error: unknown = await client.tasks.get("tsk_1").catch((reason: unknown) => reason);
    expect(isGrantReducedError(error)).toBe(true);
    expect(error).toMatchObject({ expected: "operate", actual: capability });
    expect(pathsOf(daemon)).toEqual(checks);
  });

  test("is checked again when a connection is opened again", async () => {
    let capability = "operate";
    await using daemon = await granting(() => capability);
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await client.tasks.get("tsk_1");
    capability = "observe";
    daemon.cut();
    await until("the connection is closed", () => daemon.openConnections() === 0);
    await expect(client.tasks.create({ name: "Report" })).rejects.toBeInstanceOf(GrantReducedError);
    expect(callsOf(daemon)).toEqual(["/tasks/tsk_1"]);
  });

  test.each(["ends", "breaks"] as const)(
    "is checked again when a stream %s, which ends the subscription",
    async (how) => {
      let capability = "operate";
      await using daemon = await startDaemon(({ path }) => {
        if (path === "/access/current") return { json: { ...currentAccess, capability } };
        if (path !== "/events") return null;
        return (response) => {
          capability = "observe";
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write('event: hello\nid: a-0\ndata: {"epoch":"a","capabilities":[]}\n\n');
          if (how === "ends") response.end();
          else setImmediate(() => response.destroy());
        };
      });
      await using client = connectTo(profileOf(ca.ca, daemon.address));
      const items: unknown[] = [];
      const reading = (async () => {
        for await (const item of client.events.subscribe()) items.push(item);
      })();
      await expect(reading).rejects.toBeInstanceOf(GrantReducedError);
      expect(items).toEqual([{ kind: "resync", reason: "connected" }]);
      expect(pathsOf(daemon)).toEqual([...checks, "/events", ...checks]);
    },
  );
});

describe("a mutation", () => {
  test("that is lost on a kept connection is uncertain, and is sent once", async () => {
    await using daemon = await startDaemon((request) => (request.method === "POST" ? cut(request) : null));
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await client.tasks.get("tsk_1");
    const error: unknown = await client.tasks.create({ name: "Report" }).catch((reason: unknown) => reason);
    expect(isUncertainOutcomeError(error)).toBe(true);
    expect(daemon.seen.filter(({ path }) => path === "/tasks").map(({ connection }) => connection)).toEqual([1]);
  });

  test("that is lost on a new connection is uncertain, because the checks were complete", async () => {
    await using daemon = await startDaemon((request) => (request.method === "POST" ? cut(request) : null));
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await expect(client.tasks.create({ name: "Report" })).rejects.toMatchObject({ name: "UncertainOutcomeError" });
    expect(callsOf(daemon)).toEqual(["/tasks"]);
  });

  test("whose kept connection breaks at the same moment is never reported as unsent", async () => {
    await using daemon = await startDaemon();
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    for (let round = 0; round < 20; round++) {
      await client.tasks.get("tsk_1");
      const before = daemon.seen.length;
      const creating = client.tasks.create({ name: "Report" }).then(
        () => "answered",
        (error: unknown) => (error as Error).name,
      );
      if (round % 2 === 0) setImmediate(() => daemon.cut());
      else daemon.cut();
      const outcome = await creating;
      const arrived = daemon.seen.slice(before).some(({ path }) => path === "/tasks");
      if (arrived) expect(["answered", "UncertainOutcomeError"]).toContain(outcome);
      else expect(["UncertainOutcomeError", "ConnectionError"]).toContain(outcome);
    }
  });

  test("is not sent, and not uncertain, if no daemon listens", async () => {
    const daemon = await startDaemon();
    await daemon[Symbol.asyncDispose]();
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await expect(client.tasks.create({ name: "Report" })).rejects.toMatchObject({
      name: "ConnectionError",
      code: "ECONNREFUSED",
      message: expect.stringContaining(daemon.address),
    });
  });

  test.each([
    ["the connection", { connectTimeoutMs: 30 }, { name: "ConnectionError", code: "ETIMEDOUT" }],
    ["the call", { timeoutMs: 30 }, { name: "TimeoutError", message: expect.stringContaining("Nothing was sent") }],
  ] as const)("is not uncertain if the time limit of %s passes during the handshake", async (_, options, expected) => {
    await using silent = await startSilent();
    await using client = connectTo(profileOf(ca.ca, silent.address), options);
    await expect(client.tasks.create({ name: "Report" })).rejects.toMatchObject(expected);
  });

  test("is not uncertain if it is aborted during the handshake, which ends", async () => {
    await using silent = await startSilent();
    await using client = connectTo(profileOf(ca.ca, silent.address));
    const controller = new AbortController();
    const creating = client.tasks.create({ name: "Report" }, { signal: controller.signal });
    await until("the client has connected", () => silent.open() === 1);
    controller.abort();
    await expect(creating).rejects.toMatchObject({ name: "AbortError" });
    await until("the client has gone", () => silent.open() === 0);
  });
});

test("a proxy and further authorities in the environment are ignored", async () => {
  await using otherCa = await createCa();
  await using proxy = await startSilent();
  await using daemon = await startDaemon();
  await using impostor = await startImpostor(daemonLeaf(otherCa));
  const program = `import { connectRemote } from "@belfry/client/remote";
    const client = connectRemote(JSON.parse(process.env.PROFILE), { onUntrustedAddress: () => console.log("untrusted") });
    console.log((await client.tasks.get("tsk_1")).id);`;
  const url = `http://${proxy.address}`;
  await using dir = await tempDir();
  const authorities = join(dir.path, "authorities.pem");
  writeFileSync(authorities, otherCa.ca, { mode: 0o644 });
  const environment = {
    PROFILE: JSON.stringify(profileOf(ca.ca, impostor.address, daemon.address)),
    HTTPS_PROXY: url,
    https_proxy: url,
    ALL_PROXY: url,
    NODE_USE_ENV_PROXY: "1",
    NODE_EXTRA_CA_CERTS: authorities,
    SSL_CERT_FILE: authorities,
  };
  expect(await runProgram(program, { environment })).toBe("untrusted\ntsk_1\n");
  expect([proxy.attempts(), impostor.received().length]).toEqual([0, 0]);
});

describe("the token", () => {
  test("is neither printed nor given to hooks", async () => {
    const seen: unknown[] = [];
    await using daemon = await startDaemon(({ path }) => (path === "/tasks" ? { status: 502 } : null));
    await using client = connectTo(profileOf(ca.ca, daemon.address), {
      hooks: {
        beforeRequest: [({ request }) => void seen.push([...request.headers])],
        afterResponse: [({ request, response }) => void seen.push([...request.headers], [...response.headers])],
      },
    });
    const call = client.tasks.get("tsk_1");
    await call;
    const error: unknown = await client.tasks.create({ name: "Report" }).catch((reason: unknown) => reason);
    const deep = { depth: Infinity, showHidden: true, getters: true } as const;
    for (const value of [client, call, error, seen, await call.withResponse()]) {
      expect(inspect(value, deep)).not.toContain(accessToken);
      expect(JSON.stringify([value])).not.toContain(accessToken);
    }
  });

  test.each(["", "secret value", "bat_a\r\nx: 1"])("%j is refused as malformed, and not repeated", (token) => {
    const connect = () => connectRemote({ ...profileOf(ca.ca, "localhost:7443"), accessToken: token });
    expect(connect).toThrow(new TypeError("The access token of the profile is malformed. Enrol again."));
  });
});

test.each([
  "",
  "localhost",
  "localhost:0",
  "localhost:70000",
  "https://localhost:7443",
  "a b:7443",
  "user@host:7443",
  "::1:7443",
])("%j is not an address", (address) => {
  expect(() => connectRemote(profileOf(ca.ca, address))).toThrow(TypeError);
});

test.each(["", "admin", undefined])("a profile that expects the capability %j is refused", (capability) => {
  const profile = { ...profileOf(ca.ca, "localhost:7443"), capability } as RemoteProfile;
  expect(() => connectRemote(profile)).toThrow(/is not a capability/);
});

test("a profile without an address is refused", () => {
  expect(() => connectRemote(profileOf(ca.ca))).toThrow("Name at least one address of the daemon.");
});

test.each([
  ["a root", { kind: "root", certificate: "no PEM" }],
  ["an authority", { kind: "key", publicKeySha256: "00", authority: "no PEM" }],
  ["a cut root", { kind: "root", certificate: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n" }],
] as const)("%s that is not in PEM is refused before any connection", (_, trust) => {
  const connect = () => connectRemote({ ...profileOf(ca.ca, "localhost:7443"), trust });
  expect(connect).toThrow(
    new TypeError("The certificate to trust is not in PEM. Check the authority, or enrol again."),
  );
});

interface Silent extends AsyncDisposable {
  readonly address: string;
  readonly open: () => number;
  readonly attempts: () => number;
}

/** Accepts connections, and never answers. */
async function startSilent(): Promise<Silent> {
  let [attempts, open] = [0, 0];
  const server = createServer((socket) => {
    attempts += 1;
    open += 1;
    socket.on("error", () => undefined).resume();
    socket.on("close", () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open,
    attempts: () => attempts,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
