import { closeSync, openSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startChild } from "./children.ts";
import { readOpenFileLimits } from "./libc.ts";
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
