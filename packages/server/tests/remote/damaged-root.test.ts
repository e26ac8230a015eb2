import { tempDir } from "@belfry/test-kit";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createOwnCertificates } from "../../src/features/remote/own-certificate.ts";
import { expectRefusal } from "../support/call.ts";
import { createCa } from "../support/certificates.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { freePlace } from "../support/ports.ts";
import { callRemote, rootOf } from "../support/remote.ts";

type Texts = Readonly<Record<string, string>>;

function read(folder: string): Texts {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const folderOf = ({ dataDir }: Pick<Harness, "dataDir">): string => join(dataDir, "remote");
const enable = (daemon: Harness, body: object) => daemon.call("POST", "/v1/remote/enable", body);
const renewRoot = (daemon: Harness) => daemon.call("POST", "/v1/remote/renew", { root: true });

/** Whether a client with this root reaches the daemon. */
function reaches(port: number, ca: string): Promise<boolean> {
  return callRemote({ ca, port }, { path: "/api/v1/health" }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

function ownCertificatesIn(folder: string) {
  return createOwnCertificates({ folder, clock: { now: () => 0 }, installationId: () => "ins_1" });
}

const program = fileURLToPath(new URL("change-own-certificates.ts", import.meta.url));

/** Makes certificates in a process that is killed before one of its changes. Returns whether it was. */
function makeAndKill(folder: string, renewal: "none" | "root", before: number): boolean {
  const words = ["--conditions=@belfry/source", program, folder, renewal, String(before)];
  const { status, signal, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (signal !== "SIGKILL" && status !== 0) throw new Error(stderr);
  return signal === "SIGKILL";
}

test.each(["root.pem", "root.key"])(
  "after a first `enable` that only left %s, the next one makes a root, because nobody can know the half one",
  async (half) => {
    await using place = await tempDir();
    await ownCertificatesIn(place.path).ensure([]);
    await using daemon = await startDaemon();
    mkdirSync(folderOf(daemon), { mode: 0o700 });
    writeFileSync(join(folderOf(daemon), half), read(place.path)[half]!, { mode: 0o600 });
    const to = await freePlace();
    const { status, text } = await enable(daemon, to);
    expect(status, text).toBe(200);
    expect(await reaches(to.port, rootOf(daemon))).toBe(true);
  },
);

test("a first `enable` may be killed before each of its changes, or while it undoes them: the next one works", async () => {
  let kills = 0;
  for (let isKilled = true; isKilled; kills++) {
    await using place = await tempDir();
    isKilled = makeAndKill(place.path, "none", kills);
    const { certificate } = await ownCertificatesIn(place.path).ensure([]);
    expect(certificate.root?.subject, `killed before change ${kills}`).toContain("CN=ins_1");
  }
  // four files, written and removed again
  expect(kills).toBe(9);
});

test("a kill while the root is replaced keeps the former root usable, or its key beside the new certificate", async () => {
  await using place = await tempDir();
  await ownCertificatesIn(place.path).ensure([]);
  const former = read(place.path);
  const seen: string[] = [];
  for (const before of [0, 1, 2]) {
    for (const [name, text] of Object.entries(former)) writeFileSync(join(place.path, name), text);
    expect(makeAndKill(place.path, "root", before)).toBe(true);
    const left = read(place.path);
    const isDamaged = ownCertificatesIn(place.path).isRootDamaged();
    seen.push(isDamaged ? "damaged" : left["root.pem"] === former["root.pem"] ? "former" : "new");
    if (isDamaged) expect(left["root.key"]).toBe(former["root.key"]);
  }
  expect(seen).toEqual(["former", "damaged", "new"]);
});

describe("a root that is damaged while the remote API is off is not replaced by `enable`, but by `renew --root`", () => {
  test.each([
    ["without its key", (folder: string) => rmSync(join(folder, "root.key"))],
    ["without its certificate", (folder: string) => rmSync(join(folder, "root.pem"))],
    ["with a damaged certificate", (folder: string) => writeFileSync(join(folder, "root.pem"), "damaged")],
    ["with a damaged key", (folder: string) => writeFileSync(join(folder, "root.key"), "damaged")],
  ])("%s", async (_, damage) => {
    await using daemon = await startDaemon();
    const to = await freePlace();
    expect((await enable(daemon, to)).status).toBe(200);
    const former = rootOf(daemon);
    expect((await daemon.call("POST", "/v1/remote/disable")).status).toBe(200);
    damage(folderOf(daemon));
    const left = read(folderOf(daemon));

    const refused = await enable(daemon, {});
    expectRefusal(refused, "conflict", null);
    expect(refused.json.error.message).toContain("belfry remote renew --root");
    expectRefusal(await daemon.call("POST", "/v1/remote/renew"), "conflict", null);
    expect(read(folderOf(daemon))).toEqual(left);

    const renewed = await renewRoot(daemon);
    expect(renewed.json, renewed.text).toMatchObject({ enabled: false, listening: false });
    expect((await enable(daemon, {})).status).toBe(200);
    expect(await reaches(to.port, rootOf(daemon))).toBe(true);
    expect(await reaches(to.port, former)).toBe(false);
  });
});

test("a damaged root keeps nobody from leaving a configured certificate: `renew --root` replaces it meanwhile", async () => {
  await using dir = await tempDir();
  await using authority = await createCa();
  await using daemon = await startDaemon();
  const to = await freePlace();
  expect((await enable(daemon, to)).status).toBe(200);
  const issued = authority.issue(["DNS:localhost", "IP:127.0.0.1"]);
  const [certificate, key] = [join(dir.path, "cert.pem"), join(dir.path, "key.pem")];
  writeFileSync(certificate, issued.cert);
  writeFileSync(key, issued.key, { mode: 0o600 });
  const configured = await enable(daemon, { certificate, key });
  expect(configured.status, configured.text).toBe(200);
  // its own root is intact, so there is no reason to replace it
  expectRefusal(await renewRoot(daemon), "validation_failed", "root");
  writeFileSync(join(folderOf(daemon), "root.key"), "damaged");

  expectRefusal(await enable(daemon, { certificate: null, key: null }), "conflict", null);
  const renewed = await renewRoot(daemon);
  expect(renewed.json.certificate, renewed.text).toEqual(configured.json.certificate);
  expect(await reaches(to.port, authority.ca)).toBe(true);
  expect((await enable(daemon, { certificate: null, key: null })).status).toBe(200);
  expect(await reaches(to.port, rootOf(daemon))).toBe(true);
});

test("a new root that is made while the remote API is off opens no port and shows no certificate", async () => {
  await using daemon = await startDaemon();
  const { json, text } = await renewRoot(daemon);
  expect(json, text).toMatchObject({ enabled: false, listening: false, certificate: null });
  expect(existsSync(join(daemon.dataDir, "config.toml"))).toBe(false);
  const to = await freePlace();
  const root = rootOf(daemon);
  expect((await enable(daemon, to)).status).toBe(200);
  expect(rootOf(daemon)).toBe(root);
});
