import { tempDir } from "@belfry/test-kit";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { becomeRunner, removeDeadRunners } from "./identity.ts";
import { runnerPlaces, runnersFolder } from "./places.ts";

// no process has this among its arguments
const id = "br-identity-test";

function removeDead(dataDir: string): readonly string[] {
  const failed: string[] = [];
  removeDeadRunners(dataDir, (each) => failed.push(each));
  return failed;
}

test("the files of a runner stay while it lives, and while nobody can tell", async () => {
  await using dir = await tempDir();
  becomeRunner(dir.path, id);
  const { identity, pipes } = runnerPlaces(dir.path, id);
  expect(removeDead(dir.path)).toEqual([]);
  expect(existsSync(pipes)).toBe(true);
  await rename(identity, `${identity}-aside`);
  // reading it is an error, but not that of a missing file
  await mkdir(identity);
  expect(removeDead(dir.path)).toEqual([id]);
  expect(existsSync(pipes)).toBe(true);
  await rm(identity, { recursive: true });
  await writeFile(identity, "damaged");
  expect(removeDead(dir.path)).toEqual([]);
  expect(existsSync(pipes)).toBe(false);
});

test("the identity of a runner that died before the file got its name is removed", async () => {
  await using dir = await tempDir();
  becomeRunner(dir.path, id);
  const unlinked = (pid: number): string => join(runnersFolder(dir.path), `r2.json.${pid}`);
  const pidMax = 4_194_304;
  for (const pid of [process.pid, pidMax]) await writeFile(unlinked(pid), "{}");
  expect(removeDead(dir.path)).toEqual([]);
  expect([process.pid, pidMax].map((pid) => existsSync(unlinked(pid)))).toEqual([true, false]);
});
