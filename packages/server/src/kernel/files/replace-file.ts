import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/** Writes a private file completely or not at all, and returns when it is on disk. Follows a link at the path. */
export function replaceFile(path: string, content: string | Buffer): void {
  const target = targetOf(path);
  const unnamed = `${target}.new`;
  rmSync(unnamed, { force: true });
  try {
    writeSynced(unnamed, typeof content === "string" ? Buffer.from(content) : content);
    renameSync(unnamed, target);
  } catch (error) {
    rmSync(unnamed, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

function writeSynced(path: string, bytes: Buffer): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
