import { tempDir } from "@belfry/test-kit";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liveFolder } from "../../runner/places.ts";
import { createAttemptsFolder } from "./attempts-folder.ts";

/** The record of an attempt that is dispatched now, before any report about it. */
function dispatchIn(folder: ReturnType<typeof createAttemptsFolder>) {
  return { origin: folder.origin(), startedAt: null };
}

async function openFolder() {
  const dir = await tempDir();
  const folder = createAttemptsFolder(dir.path, "boot-1");
  folder.open();
  return { ...folder, dataDir: dir.path, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

test("an attempt without a claim was never ordered, unless its folder has been replaced", async () => {
  await using folder = await openFolder();
  const attempt = dispatchIn(folder);
  expect(folder.explainUnclaimed(attempt)).toBe("never_ordered");
  const next = createAttemptsFolder(folder.dataDir, "boot-1");
  next.open();
  expect(next.restore()).toBe(false);
  expect(next.explainUnclaimed(attempt)).toBe("never_ordered");
});

const removals = [
  ["attempts/", (dataDir: string) => join(dataDir, "attempts")],
  ["attempts/live", liveFolder],
  ["attempts/id", (dataDir: string) => join(dataDir, "attempts", "id")],
] as const;

test.for(removals)(
  "after %s was removed, the claim may have been removed with it, for this daemon and the next",
  async ([, find]) => {
    await using folder = await openFolder();
    const attempt = dispatchIn(folder);
    rmSync(find(folder.dataDir), { recursive: true });
    const next = createAttemptsFolder(folder.dataDir, "boot-1");
    expect(folder.restore()).toBe(true);
    expect(existsSync(liveFolder(folder.dataDir))).toBe(true);
    expect(folder.explainUnclaimed(attempt)).toBe("folder");
    expect(folder.explainUnclaimed(dispatchIn(folder))).toBe("never_ordered");
    expect(folder.restore()).toBe(false);
    next.open();
    expect(next.explainUnclaimed(attempt)).toBe("folder");
  },
);

test("a folder of claims that another program has created counts as a new one", async () => {
  await using folder = await openFolder();
  const attempt = dispatchIn(folder);
  const live = liveFolder(folder.dataDir);
  // the former folder stays, so that the new one cannot get its inode number
  renameSync(live, join(folder.dataDir, "former"));
  mkdirSync(live);
  expect(folder.restore()).toBe(true);
  expect(folder.explainUnclaimed(attempt)).toBe("folder");
});

test("an attempt that has started had a claim, even if its folder contains none", async () => {
  await using folder = await openFolder();
  expect(folder.explainUnclaimed({ ...dispatchIn(folder), startedAt: 1 })).toBe("folder");
});

test("an attempt of another boot has no process, and an attempt of a former version is identified by its boot", async () => {
  await using folder = await openFolder();
  expect(folder.explainUnclaimed({ origin: "boot-0/abc", startedAt: null })).toBe("boot");
  expect(folder.explainUnclaimed({ origin: "boot-0", startedAt: 1 })).toBe("boot");
  expect(folder.explainUnclaimed({ origin: "boot-1", startedAt: null })).toBe("never_ordered");
  expect(readFileSync(join(folder.dataDir, "attempts", "id"), "utf8")).toMatch(/^\w{16}$/);
});
