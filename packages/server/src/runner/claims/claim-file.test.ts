import { tempDir } from "@belfry/test-kit";
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunnerAlive, markOf, readClaim, readEnd } from "./claim.ts";
import { dropClaim, forgetClaim, makeClaim } from "./claim-file.ts";
import { becomeRunner } from "../identity.ts";
import { claimFolder, keptFolder, liveFolder, runnerPlaces } from "../places.ts";

const mark = { runId: "run_a", attempt: "1" };

/** This process as a runner, with its places. */
async function arrange(dataDir: string) {
  const runner = becomeRunner(dataDir, "r1");
  await mkdir(liveFolder(dataDir), { recursive: true });
  return { runner, mark, graceMs: 500 };
}

test("of several claims on one attempt, exactly one succeeds", async () => {
  await using dir = await tempDir();
  const head = await arrange(dir.path);
  const other = { ...head, runner: { ...head.runner, id: "r2" } };
  await mkdir(runnerPlaces(dir.path, "r2").pipes);
  const claims = [makeClaim(dir.path, "a", head), makeClaim(dir.path, "a", other)];
  const [claim, ...others] = claims.filter((each) => each !== null);
  expect(others).toEqual([]);
  expect(makeClaim(dir.path, "a", head)).toBeNull();
  expect(await readdir(liveFolder(dir.path))).toEqual(["a"]);
  for (const id of ["r1", "r2"]) expect(await readdir(runnerPlaces(dir.path, id).pipes)).toEqual([]);
  claim!.close();
});

test("a claim holds its owner, then its process, then the cause of its stop; an incomplete line is ignored", async () => {
  await using dir = await tempDir();
  const head = await arrange(dir.path);
  const folder = claimFolder(dir.path, "a");
  expect(await readClaim(folder)).toBeNull();
  const claim = makeClaim(dir.path, "a", head)!;
  expect(await readClaim(folder)).toEqual({ ...head, process: null, cause: null, exit: null });
  expect(isRunnerAlive((await readClaim(folder))!)).toBe(true);
  await claim.add({ process: { pid: 7, startTime: 8 } });
  await claim.add({ cause: "timeout" });
  await appendFile(join(folder, "claim"), '{"cause":"canc');
  expect(await readClaim(folder)).toEqual({ ...head, process: { pid: 7, startTime: 8 }, cause: "timeout", exit: null });
  expect(await readEnd(folder)).toBeNull();
  await writeFile(join(folder, "claim"), "");
  expect(await readClaim(folder)).toBeNull();
});

test("a removed claim leaves nothing, and the attempt may be claimed again", async () => {
  await using dir = await tempDir();
  const head = await arrange(dir.path);
  for (let time = 0; time < 2; time++) {
    const claim = makeClaim(dir.path, "a", head);
    claim!.close();
    dropClaim(dir.path, "a", "r1");
    expect(await readdir(liveFolder(dir.path))).toEqual([]);
  }
});

test("forgetting an attempt keeps only its output, and may be repeated", async () => {
  await using dir = await tempDir();
  const head = await arrange(dir.path);
  for (const attempt of ["att_xy", "att_xz"]) makeClaim(dir.path, attempt, head)!.close();
  await writeFile(join(claimFolder(dir.path, "att_xy"), "end"), "{}");
  await writeFile(join(claimFolder(dir.path, "att_xy"), "stdout"), "out");
  for (const attempt of ["att_xy", "att_xy", "att_xz", "att_never"]) await forgetClaim(dir.path, attempt);
  expect(await readdir(liveFolder(dir.path))).toEqual([]);
  expect(await readdir(keptFolder(dir.path, "att_xy"))).toEqual(["stdout"]);
  expect(await readFile(join(keptFolder(dir.path, "att_xy"), "stdout"), "utf8")).toBe("out");
  await expect(readdir(keptFolder(dir.path, "att_xz"))).rejects.toThrow("ENOENT");
});

test("a process has a mark only if both variables are set", () => {
  expect(markOf({ BELFRY_RUN_ID: "run_a", BELFRY_ATTEMPT: "1", PATH: "/bin" })).toEqual(mark);
  expect(markOf({ BELFRY_RUN_ID: "run_a" })).toBeNull();
});
