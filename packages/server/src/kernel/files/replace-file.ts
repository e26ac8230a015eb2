import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

interface ReplaceOptions {
  /** Gives the new file the mode, owner and group of the former one, if there is one. */
  readonly keepsOwner?: boolean;
}

/** Writes a private file completely or not at all, and returns when it is on disk. Follows a link at the path. */
export function replaceFile(path: string, content: string | Buffer, { keepsOwner = false }: ReplaceOptions = {}): void {
  const target = targetOf(path);
  const unnamed = `${target}.new`;
  rmSync(unnamed, { force: true });
  try {
    const former = keepsOwner ? (statSync(target, { throwIfNoEntry: false }) ?? null) : null;
    writeSynced(unnamed, typeof content === "string" ? Buffer.from(content) : content, former);
    renameSync(unnamed, target);
  } catch (error) {
    rmSync(unnamed, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

function writeSynced(path: string, bytes: Buffer, former: Stats | null): void {
  const file = openSync(path, "wx", 0o600);
  try {
    if (former !== null) {
      const { uid, gid } = fstatSync(file);
      if (former.uid !== uid || former.gid !== gid) fchownSync(file, former.uid, former.gid);
      // last, so that the wider mode never applies to another group
      fchmodSync(file, former.mode & 0o7777);
    }
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
