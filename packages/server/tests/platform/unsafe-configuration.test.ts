import { tempDir } from "@belfry/test-kit";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCa } from "../support/certificates.ts";
import { freePlace } from "../support/ports.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { canRunAsStranger, stranger } from "../support/processes/privileges.ts";

const daemons = useDaemonProcess();

interface Owned {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** Writes a file with an owner. Only root can give it to another user. */
async function writeOwned(path: string, text: string, { mode, uid, gid }: Owned): Promise<void> {
  await writeFile(path, text);
  if (uid !== undefined || gid !== undefined) await chown(path, uid ?? 0, gid ?? 0);
  await chmod(path, mode);
}

/** A data directory with a configuration, which root and the stranger can reach. */
async function configured(text: string, { dirUid, ...owned }: Owned & { readonly dirUid?: number | undefined }) {
  const place = await tempDir();
  await chmod(place.path, 0o755);
  const dataDir = join(place.path, "data");
  await mkdir(dataDir, { mode: 0o755 });
  const config = join(dataDir, "config.toml");
  await writeOwned(config, text, owned);
  if (dirUid !== undefined) await chown(dataDir, dirUid, dirUid);
  return { dataDir, config, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

async function expectRefusal(dataDir: string, sentence: string, uid?: number): Promise<void> {
  await using daemon = await daemons.spawn({ dataDir, ...(uid === undefined ? {} : { uid }) });
  expect(await daemon.ended).toBe(2);
  expect(daemon.said.stderr).toBe(`belfryd: ${sentence}\n`);
}

const other = 4_321;

test("a daemon does not start with a configuration that all users can change", async () => {
  await using place = await configured("", { mode: 0o666 });
  await expectRefusal(
    place.dataDir,
    `the configuration ${place.config} can be changed by all users (mode 0666): remove this permission with chmod o-w`,
  );
});

test("a link to a configuration is as safe as the file at its end", async () => {
  await using place = await tempDir();
  const [dataDir, elsewhere] = [join(place.path, "data"), join(place.path, "shared.toml")];
  await mkdir(dataDir);
  await symlink(elsewhere, join(dataDir, "config.toml"));
  await writeOwned(elsewhere, "", { mode: 0o646 });
  await expectRefusal(
    dataDir,
    `the configuration ${join(dataDir, "config.toml")} can be changed by all users (mode 0646): remove this permission with chmod o-w`,
  );
  await chmod(elsewhere, 0o644);
  await using daemon = await daemons.start({ dataDir });
  expect((await daemon.call("GET", "/v1/runtime-info")).json.unsafe_files).toEqual([]);
  // while the daemon runs, its health says so
  await chmod(elsewhere, 0o646);
  expect((await daemon.call("GET", "/v1/runtime-info")).json.unsafe_files).toMatchObject([
    { message: "the configuration can be changed by all users (mode 0646): remove this permission with chmod o-w" },
  ]);
});

test.skipIf(!canRunAsStranger)("root starts no daemon with another user's configuration", async () => {
  await using place = await configured("", { mode: 0o600, uid: other });
  await expectRefusal(
    place.dataDir,
    `the configuration ${place.config} belongs to user ${other}, but must belong to root: change its owner with chown`,
  );
});

test.skipIf(!canRunAsStranger).for([
  { what: "root's", owned: { mode: 0o644 } },
  { what: "its user's", owned: { mode: 0o600, uid: stranger, gid: stranger } },
  { what: "a group-writable one of its own group", owned: { mode: 0o664, uid: stranger, gid: stranger } },
  { what: "a group-writable one of root's group", owned: { mode: 0o664, uid: stranger, gid: 0 } },
])("a daemon of another user than root starts with a configuration: $what", async ({ owned }) => {
  await using place = await configured('[log]\nlevel = "debug"\n', { ...owned, dirUid: stranger });
  await using daemon = await daemons.start({ dataDir: place.dataDir, uid: stranger });
  expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
});

test.skipIf(!canRunAsStranger).for([
  {
    what: "a third user's",
    owned: { mode: 0o644, uid: other, gid: other },
    predicate: `belongs to user ${other}, but must belong to root or to user ${stranger}, who runs the daemon: change its owner with chown`,
  },
  {
    what: "one that a third group can change",
    owned: { mode: 0o664, uid: stranger, gid: other },
    predicate: `can be changed by group ${other} (mode 0664): remove this permission with chmod g-w, or give the file to root's group or the daemon's with chgrp`,
  },
])("a daemon of another user than root does not start with a configuration: $what", async ({ owned, predicate }) => {
  await using place = await configured("", { ...owned, dirUid: stranger });
  await expectRefusal(place.dataDir, `the configuration ${place.config} ${predicate}`, stranger);
});

test("a daemon does not start with the private key of a certificate that other users can read", async () => {
  await using authority = await createCa();
  const issued = authority.issue(["DNS:localhost"]);
  const text = (enabled: boolean, port: number): string =>
    `[remote]\nenabled = ${enabled}\nhost = "127.0.0.1"\nport = ${port}\ncertificate = "build.pem"\nkey = "build.key"\n`;
  const { port } = await freePlace();
  await using place = await configured(text(true, port), { mode: 0o600 });
  const key = join(place.dataDir, "build.key");
  await writeFile(join(place.dataDir, "build.pem"), issued.cert);
  await writeOwned(key, issued.key, { mode: 0o644 });
  const predicate = "can be read by all users (mode 0644): remove this permission with chmod o=";
  await expectRefusal(place.dataDir, `the private key ${key} ${predicate}`);
  // a group that may read keys is its owner's choice
  await chmod(key, 0o640);
  await using daemon = await daemons.start({ dataDir: place.dataDir });
  expect((await daemon.call("GET", "/v1/remote")).json).toMatchObject({ listening: true, problem: null });
  await chmod(key, 0o644);
  expect((await daemon.call("GET", "/v1/runtime-info")).json.unsafe_files).toEqual([
    { path: key, message: `the private key ${predicate}` },
  ]);
  const renewed = await daemon.call("POST", "/v1/remote/renew");
  expect(renewed).toMatchObject({ status: 400, json: { error: { code: "validation_failed", field: "key" } } });
  expect(renewed.json.error.message).toBe(`key ${key} ${predicate}`);
  await daemon.stop();
  // while the remote API is off, nobody reads the key
  await writeFile(place.config, text(false, port));
  await using off = await daemons.start({ dataDir: place.dataDir });
  expect((await off.call("GET", "/v1/runtime-info")).json.unsafe_files).toEqual([]);
});
