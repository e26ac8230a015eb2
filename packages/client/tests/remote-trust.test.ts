import { createServer } from "node:http";
import { Agent, request, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { checkServerIdentity } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverNameOf } from "@belfry/contract";
import { createCa, type PrivateCa } from "../../server/tests/support/certificates.ts";
import {
  enrollRemote,
  IdentityError,
  isTrustError,
  monitor,
  type RemoteClient,
  type RemoteProfile,
  TrustError,
} from "../src/remote.ts";
import {
  accessToken,
  connectTo,
  daemonId,
  daemonLeaf,
  enrollment,
  fakeRemote,
  invitationTo,
  phrase,
  profileOf,
  publicKeySha256,
  remoteManifest,
  startImpostor,
} from "./fake-remote-daemon.ts";

let ca: PrivateCa & AsyncDisposable;
let otherCa: PrivateCa & AsyncDisposable;
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([createCa(), createCa()]);
});
afterAll(async () => {
  await ca[Symbol.asyncDispose]();
  await otherCa[Symbol.asyncDispose]();
});

/** Everything that a client may do first. Each would send a secret. */
const calls: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
  "a read": (address) => withClient(address, (client) => client.tasks.get("tsk_1")),
  "a mutation": (address) => withClient(address, (client) => client.tasks.create({ name: accessToken })),
  "a stream": (address) => withClient(address, (client) => client.events.subscribe().next()),
  "an enrolment": (address) => enrollRemote({ invitation: invitationTo(ca.ca, address), phrase }),
};

/** Servers that are not the daemon. */
const impostors: Readonly<Record<string, { readonly tls: () => ServerOptions; readonly code: string | RegExp }>> = {
  "with a wrong root": { tls: () => daemonLeaf(otherCa), code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" },
  "with the same name and a key of its own": {
    tls: () => daemonLeaf(ca, { isSelfSigned: true }),
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  },
  "with an expired certificate": { tls: () => daemonLeaf(ca, { days: -1 }), code: "CERT_HAS_EXPIRED" },
  "with the certificate of another installation": {
    tls: () => ca.issue([`DNS:${serverNameOf("ins_other")}`, "DNS:localhost", "IP:127.0.0.1"]),
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  },
  "that only offers TLS 1.2": { tls: () => ({ ...daemonLeaf(ca), maxVersion: "TLSv1.2" }), code: /SSL|EPROTO/ },
};

describe.each(Object.entries(impostors))("a server %s", (_, { tls, code }) => {
  test.each(Object.entries(calls))("receives nothing of %s, which is not repeated", async (_name, call) => {
    await using impostor = await startImpostor(tls());
    const error: unknown = await call(impostor.address).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrustError);
    expect(error).toMatchObject({ code: expect.stringMatching(code), address: impostor.address });
    await impostor.untilAttempt();
    expect(impostor.attempts()).toBe(1);
    expect(impostor.received().length).toBe(0);
  });
});

test("an environment that switches the verification off changes nothing", async () => {
  const name = ["NODE_TLS", "REJECT_UNAUTHORIZED"].join("_");
  process.env[name] = "0";
  try {
    await using impostor = await startImpostor(daemonLeaf(otherCa));
    await expect(calls["a mutation"]!(impostor.address)).rejects.toBeInstanceOf(TrustError);
    await expect(calls["an enrolment"]!(impostor.address)).rejects.toBeInstanceOf(TrustError);
    await impostor.untilAttempt();
    expect(impostor.received().length).toBe(0);
  } finally {
    delete process.env[name];
  }
});

test("a server without TLS is not the daemon", async () => {
  let requests = 0;
  const server = createServer(() => (requests += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(calls["a mutation"]!(address)).rejects.toBeInstanceOf(TrustError);
  await new Promise((resolve) => server.close(resolve));
  expect(requests).toBe(0);
});

describe("a daemon with another identity", () => {
  test.each(Object.entries(calls))("receives no secret of %s, which is not repeated", async (_, call) => {
    await using clone = await fakeRemote(daemonLeaf(ca), ({ path }) =>
      path === "/manifest" ? { json: { ...remoteManifest, installation_id: "ins_clone" } } : null,
    );
    const error: unknown = await call(clone.address).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IdentityError);
    expect(error).toMatchObject({ expected: daemonId, actual: "ins_clone" });
    expect(clone.seen.map(({ method, path, body }) => [method, path, body])).toEqual([["GET", "/manifest", ""]]);
    expectNoSecret(JSON.stringify(clone.seen));
  });

  test("that shows itself only in the answer of an enrolment gets no profile made", async () => {
    await using clone = await fakeRemote(daemonLeaf(ca), ({ path }) =>
      path === "/enroll" ? { status: 201, json: { ...enrollment, daemon_id: "ins_clone" } } : null,
    );
    const error: unknown = await calls["an enrolment"]!(clone.address).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IdentityError);
    expectNoSecret(inspect(error, { depth: Infinity, showHidden: true }));
  });
});

test("a redirect is not followed", async () => {
  await using other = await fakeRemote(daemonLeaf(ca));
  for (const redirected of ["/manifest", "/tasks/tsk_1"]) {
    await using daemon = await fakeRemote(daemonLeaf(ca), ({ path }) =>
      path === redirected
        ? (response) => void response.writeHead(307, { location: `https://${other.address}/api/v1${path}` }).end()
        : null,
    );
    await expect(calls["a read"]!(daemon.address)).rejects.toMatchObject({ status: 307 });
  }
  expect(other.seen).toEqual([]);
});

describe("a certificate from elsewhere", () => {
  test("is accepted by its key, whatever its names, also after a renewal with the same key", async () => {
    const leaf = ca.issue(["DNS:board.example.com"]);
    await using daemon = await fakeRemote(leaf);
    await using client = connectTo(byKey(daemon.address, publicKeySha256(leaf.cert), ca.ca));
    expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
    const renewed = ca.issue(["DNS:other.example.com"], { key: leaf.key });
    expect(renewed.cert).not.toBe(leaf.cert);
    daemon.setSecureContext({ ...renewed, minVersion: "TLSv1.3" });
    daemon.cut();
    expect(await client.tasks.get("tsk_2")).toMatchObject({ id: "tsk_1" });
    expect(daemon.resumed).toEqual([false, false]);
  });

  test("is refused with another key, and nothing is sent", async () => {
    await using impostor = await startImpostor(ca.issue(["DNS:board.example.com"]));
    const { cert } = ca.issue(["DNS:board.example.com"]);
    await using client = connectTo(byKey(impostor.address, publicKeySha256(cert), ca.ca));
    await expect(client.tasks.get("tsk_1")).rejects.toMatchObject({ name: "TrustError", code: "KEY_NOT_PINNED" });
    await impostor.untilAttempt();
    expect(impostor.received().length).toBe(0);
  });

  test("is refused with the pinned key, if no authority of this system has signed it", async () => {
    const leaf = ca.issue(["DNS:board.example.com"]);
    await using impostor = await startImpostor(leaf);
    await using client = connectTo(byKey(impostor.address, publicKeySha256(leaf.cert)));
    await expect(client.tasks.get("tsk_1")).rejects.toBeInstanceOf(TrustError);
    await impostor.untilAttempt();
    expect(impostor.received().length).toBe(0);
  });
});

describe("a resumed TLS session", () => {
  test("would skip the check of the certificate in Node's own agent, unless it caches no session", async () => {
    await using daemon = await fakeRemote(daemonLeaf(ca));
    const checksOf = async (maxCachedSessions: number) => {
      let checks = 0;
      const agent = new Agent({
        ca: ca.ca,
        servername: serverNameOf(daemonId),
        maxCachedSessions,
        checkServerIdentity: (name, certificate) => {
          checks += 1;
          return checkServerIdentity(name, certificate);
        },
      });
      for (let call = 0; call < 3; call++) await getOnce(`https://${daemon.address}/api/v1/health`, agent);
      return checks;
    };
    expect(await checksOf(100)).toBe(1);
    expect(await checksOf(0)).toBe(3);
    expect(daemon.resumed).toEqual([false, true, true, false, false, false]);
  });

  test("never happens in this client, whose every connection is checked", async () => {
    await using daemon = await fakeRemote(daemonLeaf(ca), () => (response) => {
      response.setHeader("connection", "close");
      response.end(JSON.stringify({ id: "tsk_1", ...remoteManifest, capability: "operate" }));
    });
    for (let call = 0; call < 5; call++) await calls["an enrolment"]!(daemon.address).catch(() => undefined);
    await using lasting = await fakeRemote(daemonLeaf(ca));
    await using client = connectTo(profileOf(ca.ca, lasting.address));
    for (let round = 0; round < 5; round++) {
      await client.tasks.get("tsk_1");
      lasting.cut();
    }
    expect([...daemon.resumed, ...lasting.resumed]).not.toContain(true);
    expect(lasting.resumed.length).toBe(5);
  });

  test("does not hide that the server at the address was exchanged", async () => {
    const daemon = await fakeRemote(daemonLeaf(ca));
    await using client = connectTo(profileOf(ca.ca, daemon.address));
    await client.tasks.get("tsk_1");
    // the ticket keys of the former server, so that sessions could be resumed
    daemon.setSecureContext(daemonLeaf(otherCa));
    daemon.cut();
    await expect(client.tasks.get("tsk_1")).rejects.toBeInstanceOf(TrustError);
    expect(daemon.resumed).toEqual([false]);
    await daemon[Symbol.asyncDispose]();
  });
});

test("a monitor stops at an impostor after one attempt", async () => {
  await using impostor = await startImpostor(daemonLeaf(otherCa));
  await using client = connectTo(profileOf(ca.ca, impostor.address));
  const stopped = await monitor(client, { delayMs: () => 0 });
  expect(stopped).toMatchObject({ reason: "trust" });
  expect(isTrustError(stopped?.error)).toBe(true);
  expect(impostor.attempts()).toBe(1);
});

async function withClient<T>(address: string, use: (client: RemoteClient) => PromiseLike<T>): Promise<T> {
  await using client = connectTo(profileOf(ca.ca, address), { retries: 5 });
  return await use(client);
}

function byKey(address: string, fingerprint: string, authority?: string): RemoteProfile {
  return { ...profileOf(ca.ca, address), trust: { kind: "key", publicKeySha256: fingerprint, authority } };
}

function expectNoSecret(text: string): void {
  expect(text).not.toContain(accessToken);
  expect(text).not.toContain(phrase);
}

function getOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent }, (response) => {
      response.resume().once("close", resolve);
    });
    outgoing.once("error", reject).end();
  });
}
