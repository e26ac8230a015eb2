import { tempDir } from "@belfry/test-kit";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { takeDataDir } from "./data-dir.ts";
import { choosePaths, makePrivate, type PathOverrides, preparePaths } from "./paths.ts";

const nothing: PathOverrides = { dataDir: null, socket: null, config: null, runtimeDir: null, isRoot: false };

describe("the socket", () => {
  test("is in the given data directory, else in the run-time directory, else in the default data directory", () => {
    expect(choosePaths({ ...nothing, dataDir: "/data", runtimeDir: "/run/user/7" }).socket).toBe("/data/belfry.sock");
    expect(choosePaths({ ...nothing, runtimeDir: "/run/user/7" }).socket).toBe("/run/user/7/belfry/belfry.sock");
    expect(choosePaths({ ...nothing, isRoot: true }).socket).toBe("/var/lib/belfry/belfry.sock");
  });

  test("is at the given path, whatever else is set", () => {
    const overrides = { ...nothing, dataDir: "/data", runtimeDir: "/run/user/7", socket: "/elsewhere/s" };
    expect(choosePaths(overrides).socket).toBe("/elsewhere/s");
  });
});

test("root's data is in the directory for services, and another user's data is in the user's own folder", () => {
  expect(choosePaths({ ...nothing, isRoot: true }).dataDir).toBe("/var/lib/belfry");
  expect(choosePaths(nothing).dataDir).toMatch(/^\/.*belfry/);
});

test("every path is absolute, however it was named", () => {
  const paths = choosePaths({ ...nothing, dataDir: "some/../data", socket: "s", config: "c.toml" });
  for (const path of Object.values(paths) as string[]) expect(path).toMatch(/^\//);
});

test("a configuration applies when it is named or found, and is null otherwise", async () => {
  await using dir = await tempDir();
  expect(choosePaths({ ...nothing, dataDir: dir.path }).config).toBeNull();
  await writeFile(join(dir.path, "config.toml"), "");
  expect(choosePaths({ ...nothing, dataDir: dir.path }).config).toBe(join(dir.path, "config.toml"));
  expect(choosePaths({ ...nothing, dataDir: dir.path, config: "/etc/belfry.toml" }).config).toBe("/etc/belfry.toml");
});

test("the folders are created for their owner alone, and an open folder is made private", async () => {
  await using dir = await tempDir();
  const dataDir = join(dir.path, "deep", "data");
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o777);
  const paths = choosePaths({ ...nothing, dataDir });
  preparePaths(paths);
  for (const folder of [paths.dataDir, paths.logDir, paths.attempts, paths.runners]) {
    expect((await stat(folder)).mode & 0o777, folder).toBe(0o700);
  }
});

test("a socket path of 103 bytes is accepted, and a path of 104 is refused with both numbers", async () => {
  await using dir = await tempDir();
  const socketOf = (bytes: number) => join(dir.path, "x".repeat(bytes - Buffer.byteLength(dir.path) - 1));
  const prepare = (socket: string) => preparePaths(choosePaths({ ...nothing, dataDir: join(dir.path, "d"), socket }));
  prepare(socketOf(103));
  expect(() => prepare(socketOf(104))).toThrow(
    /is too long \(104 bytes; the system allows 103\): choose a shorter --data-dir or --socket$/,
  );
  expect(() => prepare(`${socketOf(102)}é`)).toThrow(/is too long \(104 bytes/);
});

test("a data directory too long for the paths of the runners' sockets is refused", async () => {
  await using dir = await tempDir();
  const dataDir = join(dir.path, "x".repeat(90 - Buffer.byteLength(dir.path)));
  expect(() => preparePaths(choosePaths({ ...nothing, dataDir, socket: join(dir.path, "s") }))).toThrow(
    /runners\/0000000000\.sock is too long/,
  );
});

test("a directory that cannot be created is refused with a whole sentence", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "file"), "");
  expect(() => makePrivate(join(dir.path, "file", "below"))).toThrow(
    /below cannot be used: a part of its path is a file/,
  );
  expect(() => makePrivate("/proc/nope")).toThrow(/^\/proc\/nope cannot be created: choose another path$/);
  const dataDir = join(dir.path, "file");
  expect(() => takeDataDir(choosePaths({ ...nothing, dataDir }), [])).toThrow(
    `the data directory ${dataDir} is a file: choose a directory with --data-dir`,
  );
});
