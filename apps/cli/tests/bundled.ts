import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

/** Bundles the command for a whole test file. Returns the words that start it. Call it at the top of the file. */
export function useBundle(): readonly string[] {
  const cli = join(import.meta.dirname, "..");
  // inside the package, because the command finds the daemon's bundle relative to its own
  const folder = join(cli, "dist", `test-${process.pid}`);
  beforeAll(() => promisify(execFile)(process.execPath, ["bundle.ts", folder], { cwd: cli }));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return [process.execPath, "--conditions=@belfry/source", join(folder, "belfry.js")];
}
