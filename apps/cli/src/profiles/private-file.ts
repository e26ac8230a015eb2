import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";

/** Creates a file that only its owner can read. Returns false if there is one already, which stays as it is. */
export function createPrivateFile(path: string, text: string): boolean {
  const temporary = writeBeside(path, text);
  try {
    // unlike a rename, a link never replaces a file
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function replacePrivateFile(path: string, text: string): void {
  renameSync(writeBeside(path, text), path);
}

/** Reads a file, unless other users could have read or written it. Returns null if there is none. */
export function readPrivateFile(path: string): string | null {
  const file = tryOpen(path);
  if (file === null) return null;
  try {
    const { uid, mode } = fstatSync(file);
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (isPrivate) return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
  throw new Failure(
    exitCodes.refused,
    `${path} does not belong to you, or other users can open it. It contains an access token, so it is not used`,
    { hint: `Revoke the credential if others could read it. Otherwise, make the file private with: chmod 600 ${path}` },
  );
}

function tryOpen(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function writeBeside(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
}
