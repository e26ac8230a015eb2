import { ManualClock, tempDir } from "@belfry/test-kit";
import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { createCa } from "../support/certificates.ts";
import { expectRefusal } from "../support/call.ts";
import { createChanges } from "../support/changes.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { freePlace } from "../support/ports.ts";
import { callRemote, handshakeMs, makeToken, rootOf, startRemoteDaemon } from "../support/remote.ts";
import { defaultRemote } from "../../src/kernel/config/remote-config.ts";

const dayMs = 86_400_000;

/** The certificate that a client with this root gets; null if it refuses the server. */
async function presented(port: number, ca: string): Promise<X509Certificate | null> {
  for (;;) {
    const start = performance.now();
    try {
      return await handshake(port, ca);
    } catch (error) {
      // the daemon waits for a handshake for a time only
      if (performance.now() - start < handshakeMs) throw error;
    }
  }
}

function handshake(port: number, ca: string): Promise<X509Certificate | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca, servername: "localhost" });
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate()!;
      socket.destroy();
      resolve(certificate);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (/CERT|VERIFY|SIGNATURE/.test(error.code ?? "")) resolve(null);
      else reject(error);
    });
  });
}

function files(daemon: Pick<Harness, "dataDir">): Record<string, string> {
  const folder = join(daemon.dataDir, "remote");
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

test("the keys and certificates are private files", async () => {
  await using daemon = await startRemoteDaemon();
  const folder = join(daemon.dataDir, "remote");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).toSorted()).toEqual(["leaf.key", "leaf.pem", "root.key", "root.pem"]);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
});

test("the certificate names this machine and the advertised hosts, and fits in an invitation", async () => {
  await using daemon = await startRemoteDaemon();
  const advertise = ["build.example.org", "192.0.2.77:8443", "2001:db8::77"];
  const { json, text } = await daemon.call("POST", "/v1/remote/enable", { advertise });
  expect(json.addresses, text).toEqual([
    `build.example.org:${daemon.port}`,
    "192.0.2.77:8443",
    `[2001:db8::77]:${daemon.port}`,
    `127.0.0.1:${daemon.port}`,
  ]);
  const certificate = (await presented(daemon.port, daemon.ca))!;
  for (const name of ["localhost", "build.example.org"]) expect(certificate.checkHost(name), name).toBe(name);
  for (const address of ["127.0.0.1", "::1", "192.0.2.77", "2001:db8::77"])
    expect(certificate.checkIP(address), address).toBe(address);
  expect(json.certificate.names).toEqual(
    expect.arrayContaining([...advertise.slice(0, 1), "192.0.2.77", "2001:db8::77"]),
  );
  expect(new X509Certificate(daemon.ca).raw.length).toBeLessThan(500);
});

test("100 open streams survive a renewal, and new connections get the new certificate", async () => {
  await using daemon = await startRemoteDaemon({ limits: { connectionsPerCredential: 200 } });
  const { token } = await makeToken(daemon);
  const before = await presented(daemon.port, daemon.ca);
  const changes = createChanges();
  let [open, events, ended] = [0, 0, 0];
  const requests = Array.from({ length: 100 }, () =>
    get(
      {
        host: "127.0.0.1",
        port: daemon.port,
        ca: daemon.ca,
        path: "/api/v1/events?kinds=group",
        headers: { authorization: `Bearer ${token}` },
        agent: false,
      },
      (incoming) => {
        open++;
        changes.report();
        incoming.on("data", (part) => {
          events += String(part).split("event: group").length - 1;
          changes.report();
        });
        incoming.on("error", () => {}).on("close", () => void ended++);
      },
    ).on("error", () => {}),
  );
  try {
    await changes.until("the streams", () => open === 100);
    expect((await daemon.call("GET", "/v1/remote")).json.connections).toBe(100);
    const renewed = await daemon.call("POST", "/v1/remote/renew");
    expect(renewed.json.certificate.root_sha256).toBe(
      new X509Certificate(daemon.ca).fingerprint256.replaceAll(":", "").toLowerCase(),
    );
    await daemon.call("POST", "/v1/groups", { name: "After the renewal" });
    await changes.until("the event on every stream", () => events === 100);
    expect(ended).toBe(0);
    const after = await presented(daemon.port, daemon.ca);
    expect(after?.fingerprint256).toEqual(expect.any(String));
    expect(after?.fingerprint256).not.toBe(before?.fingerprint256);
  } finally {
    for (const request of requests) request.destroy();
  }
});

test("a new root is another one, which clients of the former do not trust", async () => {
  await using daemon = await startRemoteDaemon();
  expect((await daemon.call("POST", "/v1/remote/renew", { root: true })).status).toBe(200);
  expect(await presented(daemon.port, daemon.ca)).toBeNull();
  await expect(daemon.remote({ path: "/api/v1/health" })).rejects.toThrow();
  const caller = { ca: rootOf(daemon), port: daemon.port };
  expect((await callRemote(caller, { path: "/api/v1/health" })).status).toBe(200);
});

test("a reset of the manifest makes a new root, which names the new installation", async () => {
  await using daemon = await startRemoteDaemon();
  const { json } = await daemon.call("GET", "/v1/manifest");
  const reset = await daemon.call("POST", "/v1/manifest/reset", { confirm_installation_id: json.installation_id });
  await daemon.rounds.remote.idle();
  expect(await presented(daemon.port, daemon.ca)).toBeNull();
  expect(new X509Certificate(rootOf(daemon)).subject).toContain(`CN=${reset.json.installation_id}`);
  expect(await presented(daemon.port, rootOf(daemon))).not.toBeNull();
});

test("a root of another installation is replaced at the start", async () => {
  await using dir = await tempDir();
  await using other = await startRemoteDaemon();
  const foreign = files(other);
  const { host, port } = await freePlace();
  await using daemon = await startDaemon({ dataDir: dir.path });
  expect((await daemon.call("POST", "/v1/remote/enable", { host, port })).status).toBe(200);
  await daemon.stop();
  for (const [name, text] of Object.entries(foreign)) writeFileSync(join(dir.path, "remote", name), text);
  await using again = await startDaemon({
    dataDir: dir.path,
    config: { remote: { ...defaultRemote, enabled: true, host, port } },
  });
  await again.rounds.remote.idle();
  expect(await presented(port, foreign["root.pem"]!)).toBeNull();
  const { installation_id } = (await again.call("GET", "/v1/manifest")).json;
  expect(new X509Certificate(rootOf(again)).subject).toContain(`CN=${installation_id}`);
  expect(await presented(port, rootOf(again))).not.toBeNull();
});

test("a damaged root is reported and not replaced, until the user asks for a new one", async () => {
  await using dir = await tempDir();
  const { host, port } = await freePlace();
  await using first = await startDaemon({ dataDir: dir.path });
  await first.call("POST", "/v1/remote/enable", { host, port });
  await first.stop();
  writeFileSync(join(dir.path, "remote", "root.key"), "damaged");
  await using daemon = await startDaemon({
    dataDir: dir.path,
    config: { remote: { ...defaultRemote, enabled: true, host, port } },
  });
  await daemon.rounds.remote.idle();
  const { json } = await daemon.call("GET", "/v1/remote");
  expect(json).toMatchObject({ enabled: true, listening: false, problem: expect.stringContaining("the root in") });
  expect(files(daemon)["root.key"]).toBe("damaged");
  expectRefusal(await daemon.call("POST", "/v1/remote/renew"), "conflict", null);
  expect((await daemon.call("POST", "/v1/remote/renew", { root: true })).status).toBe(200);
  await daemon.rounds.remote.idle();
  expect(await presented(port, rootOf(daemon))).not.toBeNull();
});

test("the daemon renews its certificate in the last third of its year, and keeps the root", async () => {
  // the client's clock is the real one, so the renewal must be now
  const clock = new ManualClock(new Date(Date.now() - 245 * dayMs).toISOString());
  await using daemon = await startRemoteDaemon({ clock });
  const before = files(daemon);
  const rounds = async (days: number): Promise<void> => {
    clock.jump(days * dayMs);
    const { begun } = daemon.rounds.remote;
    await clock.advance(3_600_000);
    await daemon.rounds.remote.after(begun + 1);
    await daemon.rounds.remote.idle();
  };
  await rounds(240);
  expect(files(daemon)).toEqual(before);
  await rounds(5);
  const after = files(daemon);
  expect([after["root.key"], after["root.pem"]]).toEqual([before["root.key"], before["root.pem"]]);
  expect(after["leaf.pem"]).not.toBe(before["leaf.pem"]);
  const certificate = await presented(daemon.port, daemon.ca);
  expect(certificate?.fingerprint256).toBe(new X509Certificate(after["leaf.pem"]!).fingerprint256);
});

test("a certificate from elsewhere is presented, and read again by a renewal", async () => {
  await using dir = await tempDir();
  await using authority = await createCa();
  await using daemon = await startRemoteDaemon();
  const [certificate, key, ca] = ["cert.pem", "key.pem", "ca.pem"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  const issue = (): void => {
    const issued = authority.issue(["DNS:localhost", "IP:127.0.0.1"]);
    writeFileSync(certificate, issued.cert);
    writeFileSync(key, issued.key, { mode: 0o600 });
  };
  issue();
  writeFileSync(ca, authority.ca);
  const enabled = await daemon.call("POST", "/v1/remote/enable", { certificate, key, authority: ca });
  expect(enabled.json.certificate, enabled.text).toMatchObject({ source: "configured", root_sha256: null });
  const first = await presented(daemon.port, authority.ca);
  expect(first).not.toBeNull();
  issue();
  expectRefusal(await daemon.call("POST", "/v1/remote/renew", { root: true }), "validation_failed", "root");
  expect((await daemon.call("POST", "/v1/remote/renew")).status).toBe(200);
  const second = await presented(daemon.port, authority.ca);
  expect(second).not.toBeNull();
  expect(second?.fingerprint256).not.toBe(first?.fingerprint256);

  const back = await daemon.call("POST", "/v1/remote/enable", { certificate: null, key: null, authority: null });
  expect(back.json.certificate, back.text).toMatchObject({ source: "own" });
  expect(await presented(daemon.port, daemon.ca)).not.toBeNull();
});
