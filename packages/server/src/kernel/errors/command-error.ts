import { sqliteCode, StartError } from "./errors.ts";
import { firstLine } from "./start-error.ts";

/** Explains an error of a command that works on files without a daemon, so that nothing must be restarted. */
export function asCommandError(error: unknown, path: string): StartError {
  return error instanceof StartError ? error : new StartError(explain(error, path), error);
}

/** Whether a disk could not take what was written. */
export function isDiskFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)/.test(codeOf(error));
}

function explain(error: unknown, path: string): string {
  if (isDiskFull(error)) return `the disk of ${path} is full: free some space, and repeat the command`;
  const code = codeOf(error);
  if (/^(EIO|SQLITE_IOERR)/.test(code))
    return `the disk of ${path} is full or failing: free some space or replace the disk, and repeat the command`;
  if (code === "EROFS") return `the disk of ${path} is read-only: make it writable, or choose another directory`;
  if (/^(EACCES|EPERM|SQLITE_(READONLY|CANTOPEN|PERM))/.test(code))
    return `${path} cannot be opened or written: check its permissions and those of its directory`;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return `${path} is locked by another program: stop that program, and repeat the command`;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return "the database of the backup is damaged: use another backup";
  return `${path} cannot be used (${firstLine(error)}): check the path, or choose another one`;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return sqliteCode(error) ?? (typeof code === "string" ? code : "");
}
