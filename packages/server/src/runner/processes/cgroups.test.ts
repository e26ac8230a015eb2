import { tempDir } from "@belfry/test-kit";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { leaveAttempts } from "./cgroups.ts";

/** The cgroups of a runner in a plain folder, where a process enters a cgroup by writing a file. */
async function openFolder() {
  const dir = await tempDir();
  const base = join(dir.path, "belfry-12-34");
  mkdirSync(join(base, "home"), { recursive: true });
  const fileOf = (cgroup: string): string => join(base, cgroup, "cgroup.procs");
  return {
    base,
    /** Returns what was written to enter a cgroup. */
    enteredBy: (cgroup: string): string => readFileSync(fileOf(cgroup), "utf8"),
    /** Makes every try to enter a cgroup fail, for a reason that does not pass. */
    block: (cgroup: string): void => void mkdirSync(fileOf(cgroup), { recursive: true }),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const neverAsked = (): never => {
  throw new Error("asked for the own cgroup");
};

describe("a runner that cannot move on", () => {
  test("goes home", async () => {
    await using folder = await openFolder();
    expect(leaveAttempts(folder.base, neverAsked)).toBe(true);
    expect(folder.enteredBy("home")).toBe("0");
  });

  test("goes home if somebody has removed its home", async () => {
    await using folder = await openFolder();
    rmSync(join(folder.base, "home"), { recursive: true });
    expect(leaveAttempts(folder.base, neverAsked)).toBe(true);
    expect(folder.enteredBy("home")).toBe("0");
  });

  test("goes home if somebody has removed all its cgroups", async () => {
    await using folder = await openFolder();
    rmSync(folder.base, { recursive: true });
    expect(leaveAttempts(folder.base, neverAsked)).toBe(true);
    expect(folder.enteredBy("home")).toBe("0");
  });

  test("goes back to where it began if it cannot enter its home", async () => {
    await using folder = await openFolder();
    folder.block("home");
    expect(leaveAttempts(folder.base, neverAsked)).toBe(true);
    expect(folder.enteredBy("..")).toBe("0");
  });

  test.each<readonly [where: string, own: string | null, isOut: boolean]>([
    ["in the cgroup of an attempt", "/3", false],
    ["below the cgroup of an attempt", "/3/below", false],
    ["in a cgroup that cannot be read", null, false],
    ["at home", "/home", true],
    ["where somebody has moved it", "/../elsewhere", true],
    ["in a cgroup whose name only begins like its own", "5", true],
  ])("and cannot leave %s knows whether a task may start there", async (_, own, isOut) => {
    await using folder = await openFolder();
    folder.block("home");
    folder.block("..");
    const found = own === null ? null : own.startsWith("/..") ? join(folder.base, own) : folder.base + own;
    expect(leaveAttempts(folder.base, () => found)).toBe(isOut);
  });

  test("and cannot read where it is lets no task start", async () => {
    await using folder = await openFolder();
    folder.block("home");
    folder.block("..");
    expect(leaveAttempts(folder.base, neverAsked)).toBe(false);
  });
});
