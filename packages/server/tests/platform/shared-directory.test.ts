import { tempDir } from "@belfry/test-kit";
import { rootCertificates } from "node:tls";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";

const daemons = useDaemonProcess();

/** A directory of mode 0755 with these entries. A name that ends in a slash is a directory. */
async function makeOpen(dataDir: string, names: readonly string[]): Promise<void> {
  await mkdir(dataDir);
  for (const name of names) {
    const path = join(dataDir, name);
    await (name.endsWith("/") ? mkdir(path) : writeFile(path, ""));
  }
  await chmod(dataDir, 0o755);
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test.for([
  { what: "two files", names: ["file", "www/"], named: `"file", "www"` },
  { what: "many files", names: ["a", "b", "c", "d", "e"], named: `"a", "b", "c" and 2 more` },
  { what: "a hidden file", names: [".profile"], named: `".profile"` },
  { what: "files beside names that Belfry uses too", names: ["cache", "lock", "log/", "attempts/"], named: `"cache"` },
  { what: "a file beside an empty database", names: ["belfry.db", "letter"], named: `"letter"` },
])("a directory with $what of others gets no database, and keeps its mode", async ({ names, named }) => {
  await using place = await tempDir();
  const dataDir = join(place.path, "srv");
  await makeOpen(dataDir, names);
  await using daemon = await daemons.spawn({ dataDir });
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stderr).toBe(
    `belfryd: the data directory ${dataDir} contains no database of Belfry, but other files (${named}): choose an empty directory with --data-dir or BELFRY_DATA_DIR, or move these files away\n`,
  );
  expect(await modeOf(dataDir)).toBe(0o755);
  expect(await readdir(dataDir)).toEqual(names.map((name) => name.replace("/", "")).sort());
});

test("a directory with a configuration and the files that it names gets a database, and the log tells its former mode", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await makeOpen(dataDir, ["config.toml~", "lock", "lost+found/", "trusted/", "build.pem"]);
  await writeFile(join(dataDir, "trusted", "ca.pem"), rootCertificates[0]!);
  await writeFile(
    join(dataDir, "config.toml"),
    `[webhooks]\nca_file = "trusted/ca.pem"\n[remote]\ncertificate = "build.pem"\n`,
  );
  await using daemon = await daemons.start({ dataDir });
  expect(await modeOf(dataDir)).toBe(0o700);
  expect(daemon.output()).toMatch(/data_dir\.narrowed .*mode=0700 former_mode=0755/);
});

test("a new directory and a private one are not reported as narrowed", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  for (const _ of ["new", "private"]) {
    await using daemon = await daemons.start({ dataDir });
    expect(daemon.output()).not.toContain("data_dir.narrowed");
    await daemon.stop();
  }
});

test("a data directory with files of others is closed by its owner only, and is used while it is closed", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  {
    await using first = await daemons.start({ dataDir });
    await first.stop();
  }
  // what tasks leave in the home of their user
  await writeFile(join(dataDir, ".bash_history"), "");
  await chmod(dataDir, 0o755);
  {
    await using daemon = await daemons.start({ dataDir });
    await daemon.stop();
  }
  expect(await modeOf(dataDir)).toBe(0o700);
  await mkdir(join(dataDir, "www"));
  {
    await using daemon = await daemons.start({ dataDir });
    await daemon.stop();
  }
  await chmod(dataDir, 0o755);
  await using refused = await daemons.spawn({ dataDir });
  expect(await refused.ended).toBe(1);
  expect(refused.said.stderr).toBe(
    `belfryd: the data directory ${dataDir} has mode 0755, but must have mode 0700, and contains files that are not Belfry's ("www"): move these files away, or close the directory yourself with chmod 700\n`,
  );
  expect(await modeOf(dataDir)).toBe(0o755);
});
