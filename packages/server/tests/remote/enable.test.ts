import { until } from "@belfry/test-kit";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { auditRowsOf } from "../support/api.ts";
import { createCa } from "../support/certificates.ts";
import { expectRefusal } from "../support/call.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { freePlace, takenPlace } from "../support/ports.ts";
import { callRemote, makeToken, rootOf, startRemoteDaemon, writeConfig } from "../support/remote.ts";
import { openStream } from "../support/stream.ts";
import { defaultRemote } from "../../src/kernel/config/remote-config.ts";

function isServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(true));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(false)));
  });
}

function configOf({ dataDir }: Pick<Harness, "dataDir">): string | null {
  const path = join(dataDir, "config.toml");
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

async function stateOf(daemon: Harness) {
  const { json } = await daemon.call("GET", "/v1/remote");
  const folder = join(daemon.dataDir, "remote");
  const certificate = existsSync(join(folder, "leaf.pem")) ? readFileSync(join(folder, "leaf.pem"), "utf8") : null;
  return { ...json, connections: 0, file: configOf(daemon), certificate_file: certificate };
}

test("the remote API is off until somebody enables it", async () => {
  await using daemon = await startDaemon();
  const { json } = await daemon.call("GET", "/v1/remote");
  expect(json).toMatchObject({ enabled: false, listening: false, problem: null, certificate: null, connections: 0 });
  expect((await daemon.call("GET", "/v1/manifest")).json.capabilities).not.toContain("remote_api_v1");
  expect(existsSync(join(daemon.dataDir, "remote"))).toBe(false);
  expect(configOf(daemon)).toBeNull();
});

test("enabling takes effect at once, is written, recorded and published; disabling closes everything", async () => {
  await using daemon = await startDaemon();
  await using events = await openStream(daemon.socketPath, "/v1/events?kinds=manifest");
  await events.next();
  const { host, port } = await freePlace();
  const enabled = await daemon.call("POST", "/v1/remote/enable", { host, port });
  expect(enabled.json).toMatchObject({ enabled: true, listening: true, problem: null, host, port });
  expect(auditRowsOf(daemon, enabled)).toMatchObject([{ operation: "remote.enable", result: "allowed" }]);
  expect(configOf(daemon)).toBe(`[remote]\nhost = "127.0.0.1"\nport = ${port}\nenabled = true\n`);
  expect(statSync(join(daemon.dataDir, "config.toml")).mode & 0o777).toBe(0o600);
  const published = await events.next();
  expect(published.data).toMatchObject({ kind: "manifest", verb: "updated" });
  expect(published.data.manifest.capabilities).toContain("remote_api_v1");
  const revision = (await daemon.call("GET", "/v1/manifest")).json.revision;

  const { token } = await makeToken(daemon);
  const caller = { ca: rootOf(daemon), port };
  expect((await callRemote(caller, { path: "/api/v1/tasks", token })).status).toBe(200);
  const disabled = await daemon.call("POST", "/v1/remote/disable");
  expect(disabled.json).toMatchObject({ enabled: false, listening: false });
  expect(await isServed(port)).toBe(false);
  expect(configOf(daemon)).toBe(`[remote]\nhost = "127.0.0.1"\nport = ${port}\nenabled = false\n`);
  const manifest = (await events.next()).data.manifest;
  expect(manifest.capabilities).not.toContain("remote_api_v1");
  expect(manifest.revision).toBe(revision);
  expectRefusal(await daemon.call("POST", "/v1/remote/renew"), "conflict", null);

  // everything is as before: the port, the root and the credentials
  expect((await daemon.call("POST", "/v1/remote/enable")).json).toMatchObject({ host, port, listening: true });
  expect((await callRemote(caller, { path: "/api/v1/tasks", token })).status).toBe(200);
});

test("the next daemon opens the same port with the same root", async () => {
  await using daemon = await startRemoteDaemon();
  const { token } = await makeToken(daemon);
  await daemon.stop();
  expect(await isServed(daemon.port)).toBe(false);
  const remote = { ...defaultRemote, enabled: true, host: "127.0.0.1", port: daemon.port };
  await using next = await startDaemon({ dataDir: daemon.dataDir, config: { remote } });
  expect((await next.call("GET", "/v1/remote")).json).toMatchObject({ listening: true, problem: null });
  expect((await daemon.remote({ path: "/api/v1/tasks", token })).status).toBe(200);
});

test("a port that is taken at the start is a problem, not a failed start; the daemon tries again", async () => {
  const taken = createServer();
  const { host, port } = await freePlace();
  await new Promise<void>((resolve) => taken.listen(port, host, resolve));
  const remote = { ...defaultRemote, enabled: true, host, port };
  await using daemon = await startDaemon({ config: { remote } });
  await daemon.rounds.remote.idle();
  expect((await daemon.call("GET", "/v1/remote")).json).toMatchObject({
    enabled: true,
    listening: false,
    problem: `another program is listening on 127.0.0.1:${port}: stop that program, or choose another port`,
  });
  await new Promise((resolve) => taken.close(resolve));
  expect((await daemon.call("POST", "/v1/remote/enable", { host, port })).json).toMatchObject({
    listening: true,
    problem: null,
  });
});

describe("if a step fails, everything stays as it was", () => {
  async function expectNothing(
    daemon: Harness,
    of: { body: object; code: "conflict" | "validation_failed"; field?: string },
  ) {
    const before = await stateOf(daemon);
    const answer = await daemon.call("POST", "/v1/remote/enable", of.body);
    expectRefusal(answer, of.code, of.field ?? null);
    expect(auditRowsOf(daemon, answer)).toMatchObject([{ operation: "remote.enable", result: "failed" }]);
    expect(await stateOf(daemon)).toEqual(before);
    return answer;
  }

  describe.each(["off", "on"])("while the remote API is %s", (state) => {
    const start = () => (state === "on" ? startRemoteDaemon() : startDaemon());

    test("a taken port", async () => {
      await using daemon = await start();
      const { json } = await expectNothing(daemon, { body: await takenPlace(), code: "conflict" });
      expect(json.error.message).toContain("another program is listening on 127.0.0.1:");
    });

    test("an address of another machine", async () => {
      await using daemon = await start();
      const { json } = await expectNothing(daemon, { body: { host: "192.0.2.250", port: 47_443 }, code: "conflict" });
      expect(json.error.message).toContain("this machine does not have the address 192.0.2.250");
    });

    test("a configuration that cannot be written", async () => {
      await using daemon = await start();
      mkdirSync(join(daemon.dataDir, "config.toml.new", "in-the-way"), { recursive: true });
      const { json } = await expectNothing(daemon, { body: await freePlace(), code: "conflict" });
      expect(json.error.message).toContain("config.toml cannot be written");
    });

    test("a section in another form", async () => {
      await using daemon = await start();
      writeConfig(daemon, "remote = { port = 7443 } # by hand\n");
      await expectNothing(daemon, { body: await freePlace(), code: "conflict" });
    });

    test("a configuration that is not valid", async () => {
      await using daemon = await start();
      writeConfig(daemon, "[remote]\nport = 70000\n");
      await expectNothing(daemon, { body: await freePlace(), code: "conflict" });
    });

    test("a certificate without its key, or with another one", async () => {
      await using authority = await createCa();
      await using daemon = await start();
      const [first, second] = [authority.issue(["DNS:localhost"]), authority.issue(["DNS:localhost"])];
      const at = (name: string, text: string): string => {
        writeFileSync(join(daemon.dataDir, name), text);
        return join(daemon.dataDir, name);
      };
      const [certificate, key, other] = [at("c.pem", first.cert), at("k.pem", first.key), at("o.pem", second.key)];
      const place = await freePlace();
      const refused = { code: "validation_failed" } as const;
      await expectNothing(daemon, { body: { ...place, certificate }, ...refused, field: "key" });
      await expectNothing(daemon, { body: { ...place, key }, ...refused, field: "certificate" });
      await expectNothing(daemon, { body: { ...place, certificate, key: other }, ...refused, field: "key" });
      await expectNothing(daemon, { body: { ...place, certificate: key, key }, ...refused, field: "certificate" });
      await expectNothing(daemon, { body: { ...place, certificate: "c.pem", key }, ...refused, field: "certificate" });
      await expectNothing(daemon, { body: { ...place, certificate, key: "/missing" }, ...refused, field: "key" });
      await expectNothing(daemon, { body: { ...place, advertise: ["a b"] }, ...refused, field: "advertise.0" });
      await expectNothing(daemon, { body: { ...place, authority: key }, ...refused, field: "authority" });
    });
  });
});

test("the rest of the configuration stays byte for byte", async () => {
  await using daemon = await startDaemon();
  const before = `# my settings\r\n[log]\r\nlevel = "info" # not debug\r\n\r\n[ remote ]\r\n# the port\r\nport = 1 # old\r\ncommands = true\r\n\r\n[webhooks]\r\ndeny_private = false`;
  writeConfig(daemon, before);
  const { host, port } = await freePlace();
  const enabled = await daemon.call("POST", "/v1/remote/enable", { host, port });
  expect(enabled.json, enabled.text).toMatchObject({ enabled: true, allows_commands: true });
  expect(configOf(daemon)).toBe(
    before
      .replace("port = 1 #", `port = ${port} #`)
      .replace("commands = true\r\n", `commands = true\r\nhost = "127.0.0.1"\r\nenabled = true\r\n`),
  );
});

test("the port and the host can be changed, also to a host of which the former is a part", async () => {
  await using daemon = await startRemoteDaemon();
  const { host, port } = await freePlace();
  expect((await daemon.call("POST", "/v1/remote/enable", { host, port })).json).toMatchObject({
    listening: true,
    port,
  });
  expect(await isServed(daemon.port)).toBe(false);
  const caller = { ca: daemon.ca, port };
  expect((await callRemote(caller, { path: "/api/v1/health" })).status).toBe(200);
  expect((await daemon.call("POST", "/v1/remote/enable", { host: "::" })).json).toMatchObject({
    listening: true,
    host: "::",
  });
  expect((await callRemote(caller, { path: "/api/v1/health" })).status).toBe(200);
  // the former port is opened again if the next host cannot be used
  expectRefusal(await daemon.call("POST", "/v1/remote/enable", { host: "192.0.2.250" }), "conflict", null);
  expect((await callRemote(caller, { path: "/api/v1/health" })).status).toBe(200);
});

test("changes that arrive together are made one after another", async () => {
  await using daemon = await startRemoteDaemon();
  const calls = Array.from({ length: 20 }, (_, index) =>
    daemon.call("POST", `/v1/remote/${["enable", "disable", "renew", "enable"][index % 4]}`),
  );
  for (const { status } of await Promise.all(calls)) expect([200, 409]).toContain(status);
  expect((await daemon.call("GET", "/v1/remote")).json).toMatchObject({ enabled: true, listening: true });
  expect((await daemon.remote({ path: "/api/v1/health" })).status).toBe(200);
});

test("disabling ends open streams", async () => {
  await using daemon = await startRemoteDaemon();
  const { token } = await makeToken(daemon);
  let isEnded = false;
  const stream = daemon.remote({ path: "/api/v1/events", token }).catch(() => void (isEnded = true));
  await until("the stream", async () => (await daemon.call("GET", "/v1/remote")).json.connections === 1);
  await daemon.call("POST", "/v1/remote/disable");
  await stream;
  expect(isEnded).toBe(true);
});
