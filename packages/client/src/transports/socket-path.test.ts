import { tempDir } from "@belfry/test-kit";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataDirFromEnv, socketPathFromEnv, socketPathOf, socketPathsFromEnv } from "./socket-path.ts";

const home = { HOME: "/nowhere/home" };
const defaultDir = process.getuid?.() === 0 ? "/var/lib/belfry" : "/nowhere/home/.local/share/belfry";

test("BELFRY_SOCKET has priority over everything else", () => {
  const environment = { ...home, BELFRY_SOCKET: "/a/b.sock", BELFRY_DATA_DIR: "/c", XDG_RUNTIME_DIR: "/d" };
  expect(socketPathFromEnv(environment)).toBe("/a/b.sock");
});

test("a given data directory contains the socket", () => {
  expect(socketPathFromEnv({ ...home, BELFRY_DATA_DIR: "/c", XDG_RUNTIME_DIR: "/d" })).toBe("/c/belfry.sock");
});

test("a data directory's daemon.json names the socket of its daemon", async () => {
  await using dir = await tempDir();
  announce(dir.path, JSON.stringify({ pid: 1, socket: "/elsewhere/belfry.sock" }));
  expect(socketPathFromEnv({ BELFRY_DATA_DIR: dir.path })).toBe("/elsewhere/belfry.sock");
});

test.each(["", "{", "null", "[]", '{"pid":1}', '{"socket":7}'])("a daemon.json of %j is ignored", async (text) => {
  await using dir = await tempDir();
  announce(dir.path, text);
  expect(socketPathOf(dir.path)).toBe(join(dir.path, "belfry.sock"));
});

test("the default is the runtime directory, or else the platform's data directory", () => {
  expect(socketPathFromEnv({ ...home, XDG_RUNTIME_DIR: "/run/user/7" })).toBe("/run/user/7/belfry/belfry.sock");
  expect(socketPathFromEnv(home)).toBe(`${defaultDir}/belfry.sock`);
});

test("all places are looked at, unless one is given", () => {
  expect(socketPathsFromEnv({ ...home, XDG_RUNTIME_DIR: "/run/user/7" })).toEqual([
    "/run/user/7/belfry/belfry.sock",
    `${defaultDir}/belfry.sock`,
  ]);
  expect(socketPathsFromEnv({ ...home, BELFRY_SOCKET: "/a/b.sock", XDG_RUNTIME_DIR: "/d" })).toEqual(["/a/b.sock"]);
  expect(socketPathsFromEnv({ ...home, BELFRY_DATA_DIR: "/c", XDG_RUNTIME_DIR: "/d" })).toEqual(["/c/belfry.sock"]);
});

test("the data directory is the given one, or else the platform's", () => {
  expect(dataDirFromEnv({ ...home, BELFRY_DATA_DIR: "/c" })).toBe("/c");
  expect(dataDirFromEnv({ ...home, BELFRY_DATA_DIR: "" })).toBe(defaultDir);
});

test("empty variables count as unset", () => {
  const empty = { ...home, BELFRY_SOCKET: "", BELFRY_DATA_DIR: "", XDG_RUNTIME_DIR: "", XDG_DATA_HOME: "" };
  expect(socketPathFromEnv(empty)).toBe(`${defaultDir}/belfry.sock`);
});

function announce(dataDir: string, text: string): void {
  writeFileSync(join(dataDir, "daemon.json"), text);
}
