import { tempDir } from "@belfry/test-kit";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPathRules, followLinks } from "./path-rules.ts";

const isLocal = () => false;

async function folders() {
  const dir = await tempDir();
  const root = realpathSync(dir.path);
  const dataDir = join(root, "data");
  mkdirSync(join(dataDir, "log"), { recursive: true });
  return { root, dataDir, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe("a path in the data directory is refused", () => {
  test("by its text, and by the links that lead there", async () => {
    await using at = await folders();
    const { root, dataDir } = at;
    symlinkSync("data/log", join(root, "link"));
    symlinkSync("link", join(root, "second"));
    symlinkSync(join(root, "later"), join(root, "dangling"));
    const requireOutside = createPathRules({ dataDir, isRemote: isLocal });
    for (const path of [
      dataDir,
      join(dataDir, "log"),
      join(dataDir, "missing/x"),
      join(root, "link/x"),
      join(root, "second"),
    ])
      expect(() => requireOutside(path), path).toThrow("path is inside the daemon's data directory");
    for (const path of [root, `${dataDir}2`, join(root, "missing"), join(root, "dangling"), "/"])
      expect(() => requireOutside(path), path).not.toThrow();
  });

  test("where the data directory itself is reached through a link", async () => {
    await using at = await folders();
    symlinkSync(at.dataDir, join(at.root, "state"));
    const requireOutside = createPathRules({ dataDir: join(at.root, "state"), isRemote: isLocal });
    for (const path of [join(at.root, "state/log"), join(at.dataDir, "log")])
      expect(() => requireOutside(path), path).toThrow("data directory");
  });

  test("but nothing on a remote file system is touched to find out", async () => {
    await using at = await folders();
    const share = join(at.root, "share");
    mkdirSync(share);
    symlinkSync(join(at.dataDir, "log"), join(share, "link"));
    symlinkSync(share, join(at.root, "mounted"));
    const asked: string[] = [];
    const isRemote = (path: string) => (asked.push(path), path.startsWith(share));
    const requireOutside = createPathRules({ dataDir: at.dataDir, isRemote });
    for (const path of [join(share, "link/x"), join(at.root, "mounted/link/x")])
      expect(() => requireOutside(path), path).not.toThrow();
    expect(asked.filter((path) => path.startsWith(`${share}/`))).toEqual([]);
  });
});

describe("links are followed", () => {
  test("to the end of a path that exists in part", async () => {
    await using at = await folders();
    symlinkSync("data", join(at.root, "link"));
    expect(followLinks(join(at.root, "link/log/x/y"), isLocal)).toBe(join(at.dataDir, "log/x/y"));
    expect(followLinks("/", isLocal)).toBe("/");
  });

  test("as the system does: two dots lead to the parent of the target", async () => {
    await using at = await folders();
    symlinkSync("data/log", join(at.root, "shallow"));
    symlinkSync("shallow/../x", join(at.root, "up"));
    expect(followLinks(join(at.root, "up"), isLocal)).toBe(join(at.dataDir, "x"));
  });

  test("but not without end", async () => {
    await using at = await folders();
    symlinkSync("b", join(at.root, "a"));
    symlinkSync("a", join(at.root, "b"));
    expect(followLinks(join(at.root, "a/x"), isLocal)).toBe(at.root);
  });
});
