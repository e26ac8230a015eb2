import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

/**
 * Sets the soft limit of open files back. Node raises its own, and every task would inherit it. It is set back once,
 * here, rather than at each start; the runner then has the same limit. Needs util-linux's `prlimit`; rejects without
 * it.
 */
export async function restoreOpenFilesMax(softMax: number): Promise<void> {
  await promisify(execFile)("prlimit", ["--pid", String(process.pid), `--nofile=${softMax}:`]);
}

/** Reads this process's soft limit of open files. */
export function readOpenFilesMax(): number {
  const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1"))!;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft);
}
