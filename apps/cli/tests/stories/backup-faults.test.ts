import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { writeArchive, textPart } from "../../../../packages/server/src/features/backups/archive.ts";
import { canMount, fillDisk, mountSmallDisk } from "../../../../packages/server/tests/support/processes/privileges.ts";
import { startBelfry } from "../belfry.ts";

const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);

test("leftovers that are not this user's files neither prevent a backup nor are removed", async () => {
  await using place = await tempDir("bf-");
  await using belfry = await startBelfry();
  const folder = join(place.path, `.belfry-backup-999999-${boot}-1.part`);
  mkdirSync(folder);
  utimesSync(folder, 0, 0);
  const names = ["a.tar", `.belfry-backup-999999-${boot}-1.part`];
  if (process.getuid?.() === 0) {
    const foreign = `.belfry-backup-999999-${boot}-2.part`;
    writeFileSync(join(place.path, foreign), "");
    chownSync(join(place.path, foreign), 1, 1);
    utimesSync(join(place.path, foreign), 0, 0);
    names.push(foreign);
  }
  // another container's process may have any number
  const recent = `.belfry-backup-999999-${boot}-3.part`;
  writeFileSync(join(place.path, recent), "");
  names.push(recent);
  expect(await belfry.call(["backup", "create", join(place.path, "a.tar")])).toMatchObject({ code: 0 });
  expect(readdirSync(place.path).toSorted()).toEqual(names.toSorted());
});

test("a backup that cannot be written there names the directory, and not the unfinished file", async () => {
  await using place = await tempDir("bf-");
  await using belfry = await startBelfry();
  writeFileSync(join(place.path, "letter"), "");
  const refusals = [
    ["-", /a backup is written to a file, not to standard output/],
    [join(place.path, "none", "a.tar"), /cannot write .*a\.tar: there is no directory .*none\. Create it/],
    [join(place.path, "letter", "a.tar"), /cannot write .*a\.tar: there is no directory .*letter\. Create it/],
  ] as const;
  for (const [file, message] of refusals) {
    const { code, stderr } = await belfry.call(["backup", "create", file]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expect(stderr).not.toMatch(/\.part|ENOENT|ENOTDIR/);
  }
  expect(readdirSync(place.path)).toEqual(["letter"]);
});

test("a passphrase at a terminal is asked for twice and not shown", async () => {
  await using place = await tempDir("bf-");
  await using belfry = await startBelfry();
  const args = ["backup", "create", join(place.path, "a.tar"), "--passphrase-file", "-"];
  const modes: boolean[] = [];
  const setRawMode = (isRaw: boolean): void => void modes.push(isRaw);
  const differing = await belfry.call(args, { typed: { keys: ["correct horse\r", "correct house\r"], setRawMode } });
  expect(differing).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/the two inputs of the passphrase differ/),
  });
  expect(readdirSync(place.path)).toEqual([]);
  const made = await belfry.call(args, { typed: { keys: ["correct horse\rcorrect ", "horse\r"], setRawMode } });
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout + made.stderr).not.toMatch(/horse/);
  expect(modes).toEqual([true, false, true, false]);
  const pass = join(place.path, "pass");
  writeFileSync(pass, "correct horse\n");
  expect((await belfry.call(["backup", "check", join(place.path, "a.tar"), "--passphrase-file", pass])).code).toBe(0);
});

describe.runIf(canMount)("a full disk", () => {
  test("is what the command says, and no file is left", async () => {
    await using disk = (await mountSmallDisk(256))!;
    await using belfry = await startBelfry();
    fillDisk(disk.path);
    const before = readdirSync(disk.path);
    expect(await belfry.call(["backup", "create", join(disk.path, "a.tar")])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the disk of .*a\.tar is full: free some space.*[^]*No backup was written/),
    });
    expect(readdirSync(disk.path)).toEqual(before);
  });
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("a check that gets %s leaves nothing", async (signal) => {
  await using place = await tempDir("bf-");
  const temporary = join(place.path, "tmp");
  mkdirSync(temporary);
  const file = join(place.path, "large.tar");
  await writeLargeBackup(file);
  const program = fileURLToPath(new URL("../../../../packages/server/src/bin.ts", import.meta.url));
  /** Null if it ended before it could be interrupted. */
  const interrupt = async () => {
    const child = spawn(process.execPath, ["--conditions=@belfry/source", program, "--check-backup", file], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    const ended = once(child, "close");
    const isAtWork = () => readdirSync(temporary).length > 0;
    await until("the unpacked database", () => isAtWork() || child.exitCode !== null);
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code === 0 ? null : { code, errors };
  };
  let interrupted = null;
  while (interrupted === null) interrupted = await interrupt();
  expect(interrupted).toMatchObject({ code: 1, errors: expect.stringMatching(/the command was interrupted/) });
  expect(readdirSync(temporary)).toEqual([]);
});

/** A backup that takes a while to read. */
async function writeLargeBackup(file: string): Promise<void> {
  const size = 256 * 1024 * 1024;
  const zeros = Buffer.alloc(1024 * 1024);
  async function* parts() {
    const texts = { version: "1", created_at: "2026-01-01T00:00:00Z", installation_id: "ins_1", with_output: false };
    yield textPart("belfry-backup.json", JSON.stringify({ format: 1, ...texts, key_sealing: null }));
    yield textPart("sealing.key", "x");
    yield { name: "belfry.db", size, content: Array.from({ length: size / zeros.length }, () => zeros) };
  }
  writeFileSync(file, "");
  for await (const piece of writeArchive(parts())) appendFileSync(file, piece);
}
