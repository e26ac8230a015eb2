import { closeSync, openSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startChild } from "./children.ts";
import { readOpenFileLimits, setOpenFileLimits } from "./libc.ts";
import { OpenFiles } from "./limits.ts";

test("a task gets the soft limit, and this process keeps the hard one", async () => {
  const { hard } = readOpenFileLimits();
  const openFiles = new OpenFiles(512);
  const out = openSync("/dev/null", "w");
  const { exited } = openFiles.start(() =>
    startChild({
      program: "/bin/sh",
      arguments: ["-c", '[ "$(ulimit -Sn)" = 512 ]'],
      environment: {},
      directory: "/",
      files: [null, out, out],
    }),
  );
  expect(await exited).toEqual({ exitCode: 0, signal: null });
  expect(readOpenFileLimits()).toEqual({ soft: hard, hard });
  const moved = openFiles.moveUp(out)!;
  expect(moved).toBeGreaterThanOrEqual(512);
  expect(readFileSync(`/proc/self/fdinfo/${moved}`, "latin1")).toMatch(/^flags:\s*02\d{6}$/m);
  closeSync(out);
  closeSync(moved);
});

test("a limit above the hard one is the hard one, and nothing is moved", () => {
  const { hard } = readOpenFileLimits();
  for (const softMax of [null, hard + 1]) {
    const openFiles = new OpenFiles(softMax);
    expect(openFiles.softMax).toBe(hard);
    expect(openFiles.moveUp(0)).toBeNull();
  }
});

test("a hard limit that was lowered meanwhile is not raised, and the start goes on", () => {
  const openFiles = new OpenFiles(512);
  const { hard } = readOpenFileLimits();
  setOpenFileLimits({ soft: hard - 1, hard: hard - 1 });
  expect(openFiles.start(readOpenFileLimits)).toEqual({ soft: 512, hard: hard - 1 });
  expect(readOpenFileLimits()).toEqual({ soft: hard - 1, hard: hard - 1 });
});

test("a file above the soft limit cannot be given to a task: the system lacks a number for it", () => {
  const openFiles = new OpenFiles(512);
  const out = openSync("/dev/null", "w");
  const moved = openFiles.moveUp(out)!;
  const start = () =>
    openFiles.start(() =>
      startChild({ program: "/bin/true", arguments: [], environment: {}, directory: "/", files: [null, moved, out] }),
    );
  expect(start).toThrow("EMFILE");
  for (const fd of [out, moved]) closeSync(fd);
});
