import { tempDir } from "@belfry/test-kit";
import { mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LockedError, takeLock } from "./lock-file.ts";

test("a lock has one holder, and is free after its release", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "lock");
  const lock = takeLock(path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(() => takeLock(path)).toThrow(
    `another Belfry daemon is using this data directory (${path} is locked): stop it first with \`belfry --data-dir ${dir.path} daemon stop\``,
  );
  expect(() => takeLock(path)).toThrow(/is locked/);
  lock.release();
  takeLock(path).release();
});

test("a removed lock file is replaced unless another holder was faster, and the old file stays locked", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "lock");
  const lock = takeLock(path);
  expect(lock.restore()).toBe(false);
  renameSync(path, `${path}.former`);
  expect(lock.restore()).toBe(true);
  expect(() => takeLock(path)).toThrow(/is locked/);
  renameSync(`${path}.former`, path);
  expect(lock.restore()).toBe(false);
  rmSync(path);
  mkdirSync(path);
  expect(() => lock.restore()).toThrow(/cannot be used/);
  expect(() => lock.restore()).not.toThrow(LockedError);
  rmdirSync(path);
  const other = takeLock(path);
  expect(() => lock.restore()).toThrow(LockedError);
  other.release();
  lock.release();
});

test("an unusable lock file is refused with a whole sentence", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "folder");
  await mkdir(folder);
  const text = join(dir.path, "text");
  await writeFile(text, "no lock ".repeat(1_000));
  for (const path of [folder, text, join(dir.path, "nowhere", "lock")]) {
    expect(() => takeLock(path)).toThrow(
      `the lock file ${path} cannot be used: check the permissions of its directory`,
    );
  }
});
