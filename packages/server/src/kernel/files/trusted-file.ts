import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { StartError } from "../errors/errors.ts";
import { formatMode } from "./format-mode.ts";

export interface Secrecy {
  /** Whether other users may not read the file either. */
  readonly isSecret?: boolean;
}

/** Reads a file that only root and the daemon's user may change. Follows a link: the file at its end counts. */
export function readTrustedFile(path: string, { isSecret = false }: Secrecy = {}) {
  const file = openSync(path, "r");
  try {
    return { text: readFileSync(file, "utf8"), risk: describeRisk(fstatSync(file), isSecret) };
  } finally {
    closeSync(file);
  }
}

/** Says what another user can do to the file, and what to do about it; null if it is safe or out of reach. */
export function findRisk(path: string, { isSecret = false }: Secrecy = {}): string | null {
  try {
    return describeRisk(statSync(path), isSecret);
  } catch {
    // whoever reads the file reports it
    return null;
  }
}

/** Throws if another user could change the file, or read a secret one. `what` is the file's role, for the message. */
export function requireTrusted(what: string, path: string, risk: string | null): void {
  if (risk !== null) throw new StartError(`${what} ${path} ${risk}`);
}

/** The predicate of a sentence. Its subject is the file. */
function describeRisk(found: Stats, isSecret: boolean): string | null {
  const { uid, gid, mode } = found;
  const [user, group] = [process.geteuid?.(), process.getegid?.()];
  // everyone may write /dev/null
  if (user === undefined || found.isCharacterDevice()) return null;
  const shown = `mode ${formatMode(mode & 0o777)}`;
  if (uid !== 0 && uid !== user)
    return `belongs to user ${uid}, but must belong to ${user === 0 ? "root" : `root or to user ${user}, who runs the daemon`}: change its owner with chown`;
  if ((mode & 0o002) !== 0)
    return `can be changed by all users (${shown}): remove this permission with chmod ${isSecret ? "o=" : "o-w"}`;
  // many users have a group of their own, and a umask that lets it write
  if ((mode & 0o020) !== 0 && gid !== 0 && gid !== group)
    return `can be changed by group ${gid} (${shown}): remove this permission with chmod g-w, or give the file to root's group or the daemon's with chgrp`;
  if (isSecret && (mode & 0o004) !== 0)
    return `can be read by all users (${shown}): remove this permission with chmod o=`;
  return null;
}
