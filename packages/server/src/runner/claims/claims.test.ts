import { tempDir } from "@belfry/test-kit";
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AttemptEnd } from "../protocol/messages.ts";
import { isRunnerAlive, markOf, readClaim, readEnd } from "./claim.ts";
import { Claims } from "./claims.ts";
import { forgetClaim } from "./forget-claim.ts";
import { becomeRunner } from "../identity.ts";
import { claimFolder, keptFolder, liveFolder, runnerPlaces } from "../places.ts";
import { readOpenFileLimits, setOpenFileLimits } from "../processes/libc.ts";

const mark = { runId: "run_a", attempt: "1" };

const head = { mark, graceMs: 500 };
const nothing = { written: 0, cut: 0 };
const end: AttemptEnd = {
  cause: "exit",
  exitCode: 3,
  signal: null,
  detail: null,
  pid: 7,
  startedAt: 1,
  endedAt: 2,
  durationMs: 1,
  stdout: nothing,
  stderr: nothing,
};

/** This process as a runner, with its places. */
async function arrange(dataDir: string) {
  const runner = becomeRunner(dataDir, "r1");
  await mkdir(liveFolder(dataDir), { recursive: true });
  return { runner, claims: new Claims(dataDir, runner), pipes: runnerPlaces(dataDir, "r1").pipes };
}

test("of several claims on one attempt, exactly one succeeds", async () => {
  await using dir = await tempDir();
  const { runner, claims, pipes } = await arrange(dir.path);
  const others = new Claims(dir.path, { ...runner, id: "r2" });
  await mkdir(runnerPlaces(dir.path, "r2").pipes);
  const claim = claims.make("a", head)!;
  expect(others.make("a", head)).toBeNull();
  expect(claims.make("a", head)).toBeNull();
  await mkdir(claimFolder(dir.path, "empty"));
  expect(claims.make("empty", head)).toBeNull();
  expect((await readdir(liveFolder(dir.path))).sort()).toEqual(["a", "empty"]);
  for (const folder of [pipes, runnerPlaces(dir.path, "r2").pipes]) expect(await readdir(folder)).toEqual([]);
  claim.close();
});

test("a claim holds its owner, its process, the cause of its stop and its end; an incomplete line is ignored", async () => {
  await using dir = await tempDir();
  const { runner, claims } = await arrange(dir.path);
  const folder = claimFolder(dir.path, "a");
  expect(await readClaim(folder)).toBeNull();
  const claim = claims.make("a", head)!;
  expect(await readClaim(folder)).toEqual({ ...head, runner, cgroup: null, process: null, cause: null, exit: null });
  expect(isRunnerAlive((await readClaim(folder))!)).toBe(true);
  claim.addNow({ process: { pid: 7, startTime: 8 } });
  await claim.add({ cause: "timeout" });
  expect(await readEnd(folder)).toBeNull();
  await claim.add({ end });
  await claim.flush();
  await appendFile(join(folder, "claim"), '{"cause":"canc');
  expect(await readClaim(folder)).toEqual({
    ...head,
    runner,
    cgroup: null,
    process: { pid: 7, startTime: 8 },
    cause: "timeout",
    exit: null,
  });
  expect(await readEnd(folder)).toEqual(end);
  await writeFile(join(folder, "claim"), "");
  expect(await readClaim(folder)).toBeNull();
  expect(await readEnd(folder)).toBeNull();
});

test("the claim and the end of a former version can be read, also without each other", async () => {
  await using dir = await tempDir();
  const { runner } = await arrange(dir.path);
  const folder = claimFolder(dir.path, "a");
  await mkdir(folder);
  await writeFile(join(folder, "end"), JSON.stringify(end));
  expect(await readEnd(folder)).toEqual(end);
  const lines = [{ ...head, runner }, { process: { pid: 7, startTime: 8 } }, { cause: "timeout" }];
  await writeFile(join(folder, "claim"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(await readClaim(folder)).toEqual({
    ...head,
    runner,
    cgroup: null,
    process: { pid: 7, startTime: 8 },
    cause: "timeout",
    exit: null,
  });
  expect(await readEnd(folder)).toEqual(end);
});

test("a folder that is used again shows nothing of the attempt before, whatever the power failure left of both", async () => {
  await using dir = await tempDir();
  const { runner, claims, pipes } = await arrange(dir.path);
  const first = claims.make("att_first", head)!;
  first.addNow({ process: { pid: 7, startTime: 8 } });
  await first.add({ cause: "timeout" });
  await first.add({ end });
  const before = await readFile(join(claimFolder(dir.path, "att_first"), "claim"), "latin1");
  const { ino } = await stat(claimFolder(dir.path, "att_first"));
  await claims.forget(first);
  expect(await readdir(pipes)).toHaveLength(1);

  const second = claims.make("b", head)!;
  const folder = claimFolder(dir.path, "b");
  expect((await stat(folder)).ino).toBe(ino);
  expect(await readdir(pipes)).toEqual([]);
  const unstarted = { ...head, runner, cgroup: null, process: null, cause: null, exit: null };
  expect(await readClaim(folder)).toEqual(unstarted);
  expect(await readEnd(folder)).toBeNull();
  const now = await readFile(join(folder, "claim"), "latin1");
  for (let written = 0; written <= now.length; written++) {
    await writeFile(join(folder, "claim"), now.slice(0, written) + before.slice(written));
    expect([null, unstarted]).toContainEqual(await readClaim(folder));
    expect(await readEnd(folder)).toBeNull();
  }
  second.addNow({ process: { pid: 9, startTime: 9 } });
  await second.add({ end: { ...end, exitCode: 4 } });
  expect(await readClaim(folder)).toEqual({ ...unstarted, process: { pid: 9, startTime: 9 } });
  expect(await readEnd(folder)).toEqual({ ...end, exitCode: 4 });
});

test("the file of a claim with output is used again, and only the output is kept", async () => {
  await using dir = await tempDir();
  const { claims, pipes } = await arrange(dir.path);
  const first = claims.make("att_xy", head)!;
  await first.add({ end });
  const folder = claimFolder(dir.path, "att_xy");
  const { ino } = await stat(join(folder, "claim"));
  await writeFile(join(folder, "stdout"), "out");
  await claims.forgetWithOutput(first);
  expect(await readdir(keptFolder(dir.path, "att_xy"))).toEqual(["stdout"]);
  expect(await readFile(join(keptFolder(dir.path, "att_xy"), "stdout"), "utf8")).toBe("out");

  claims.make("b", head)!.close();
  expect(await readdir(liveFolder(dir.path))).toEqual(["b"]);
  expect(await readdir(claimFolder(dir.path, "b"))).toEqual(["claim"]);
  expect((await stat(join(claimFolder(dir.path, "b"), "claim"))).ino).toBe(ino);
  expect(await readEnd(claimFolder(dir.path, "b"))).toBeNull();
  expect(await readdir(pipes)).toEqual([]);
});

test("spare folders that were removed are made again", async () => {
  await using dir = await tempDir();
  const { claims, pipes } = await arrange(dir.path);
  for (const attempt of ["a", "b"]) await claims.forget(claims.make(attempt, head)!);
  const [only] = await readdir(pipes);
  await rm(join(pipes, only!), { recursive: true });
  claims.make("c", head)!.close();
  expect(await readdir(liveFolder(dir.path))).toEqual(["c"]);
});

test("a removed claim leaves a spare folder, and the attempt may be claimed again", async () => {
  await using dir = await tempDir();
  const { claims, pipes } = await arrange(dir.path);
  for (let time = 0; time < 2; time++) {
    claims.drop(claims.make("a", head)!);
    expect(await readdir(liveFolder(dir.path))).toEqual([]);
    expect(await readdir(pipes)).toHaveLength(1);
  }
});

/** Calls a function while this process can open no file. */
function withoutFreeFiles<TResult>(call: () => TResult): TResult {
  const { soft, hard } = readOpenFileLimits();
  setOpenFileLimits({ soft: 3, hard });
  try {
    return call();
  } finally {
    setOpenFileLimits({ soft, hard });
  }
}

test("a claim is removed without a free file, because an order is returned for want of one", async () => {
  await using dir = await tempDir();
  const { claims } = await arrange(dir.path);
  const claim = claims.make("a", head)!;
  withoutFreeFiles(() => claims.drop(claim));
  expect(await readdir(liveFolder(dir.path))).toEqual([]);
});

test("a claim that cannot be made for want of a free file leaves no folder, and takes no spare one", async () => {
  await using dir = await tempDir();
  const { claims, pipes } = await arrange(dir.path);
  const fail = (): void => expect(() => withoutFreeFiles(() => claims.make("a", head))).toThrow("EMFILE");
  fail();
  expect(await readdir(pipes)).toEqual([]);
  claims.drop(claims.make("a", head)!);
  const [spare] = await readdir(pipes);
  fail();
  expect(await readdir(pipes)).toEqual([spare]);
  claims.make("a", head)!.close();
  expect(await readdir(pipes)).toEqual([]);
});

test("a claim whose spare folders are gone cannot be kept as one, and says so", async () => {
  await using dir = await tempDir();
  const { claims, pipes } = await arrange(dir.path);
  const claim = claims.make("a", head)!;
  await rm(pipes, { recursive: true });
  await expect(claims.forget(claim)).rejects.toThrow("ENOENT");
  await forgetClaim(dir.path, "a");
  expect(await readdir(liveFolder(dir.path))).toEqual([]);
});

test("forgetting an attempt keeps only its output, and may be repeated", async () => {
  await using dir = await tempDir();
  const { claims } = await arrange(dir.path);
  for (const attempt of ["att_xy", "att_xz"]) claims.make(attempt, head)!.close();
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
