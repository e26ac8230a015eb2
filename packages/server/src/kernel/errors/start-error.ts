import { findDamage, sqliteCode, StartError } from "./errors.ts";

/** The places that a start error can name. */
interface StartPlaces {
  readonly dataDir: string;
  readonly database: string;
  readonly log: string;
}

/** Turns any error of a start into one sentence. The cause goes to the log. */
export function asStartError(error: unknown, places: StartPlaces): StartError {
  const known = asDatabaseStartError(error, places.database);
  if (known instanceof StartError) return known;
  const sentence =
    explainSystem(error, places.dataDir) ?? `the daemon could not start (${firstLine(error)}): see ${places.log}`;
  return new StartError(sentence, error);
}

/** Turns an error about one file or directory into a start error. */
export function asFileStartError(error: unknown, path: string): StartError {
  if (error instanceof StartError) return error;
  return new StartError(
    explainSystem(error, path) ?? `${path} cannot be used (${firstLine(error)}): check the path, or choose another one`,
    error,
  );
}

/** Turns an error of SQLite into a start error; returns any other error unchanged. */
export function asDatabaseStartError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error;
  const sentence = explainDatabase(error, path);
  return sentence === null ? error : new StartError(sentence, error);
}

function explainDatabase(error: unknown, path: string): string | null {
  const code = sqliteCode(error) ?? "";
  if (/SQLITE_(CORRUPT|NOTADB)/.test(code))
    return `the database ${path} is damaged${whichTable(error)}: run \`belfry doctor --database\` to list the damage, then restore a backup`;
  if (/SQLITE_(READONLY|CANTOPEN|PERM)/.test(code))
    return `the database ${path} cannot be opened or written: check the permissions of the file and its directory`;
  if (/SQLITE_(FULL|IOERR)/.test(code))
    return `the disk of ${path} is full or failing: free some space or replace the disk, and restart the daemon`;
  if (/SQLITE_(BUSY|LOCKED)/.test(code))
    return `the database ${path} is locked by another program: stop that program and restart the daemon`;
  return null;
}

function whichTable(error: unknown): string {
  const tables = findDamage(error)?.tables ?? [];
  return tables.length === 0 ? "" : ` (table ${tables.join(" or ")})`;
}

function explainSystem(error: unknown, place: string): string | null {
  if (!(error instanceof Error) || !("syscall" in error)) return null;
  // a write to an open file fails without a path
  const { code, path = place, dest = path } = error as NodeJS.ErrnoException & { readonly dest?: string };
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return `the disk of ${dest} is full: free some space and restart the daemon`;
    case "EROFS":
      return `the disk of ${dest} is read-only: make it writable, or choose another --data-dir`;
    case "EACCES":
    case "EPERM":
      return `${dest} cannot be used by ${ownName()}: check its owner and its permissions`;
    case "EISDIR":
      return `${dest} is a directory, but must be a file: move the directory away`;
    case "EEXIST":
      return `${dest} is a file, but must be a directory: move the file away`;
    case "ENOENT":
      // Node's message repeats the path, and has the code of the system
      return error.syscall === "mkdir"
        ? `${dest} cannot be created: choose another path`
        : `${dest} does not exist: check the path, or choose another one`;
    case "ENOTDIR":
      return `${dest} cannot be used: a part of its path is a file, but must be a directory. Move that file away, or choose another path`;
    default:
      return `${dest} cannot be used (${firstLine(error)}): check the path, or choose another one`;
  }
}

/** Says why a file cannot be read, for a sentence that names the file. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "does not exist: check the path";
  if (code === "EISDIR") return "is a directory: give a file";
  if (code === "EACCES" || code === "EPERM") return `cannot be read by ${ownName()}: check its permissions`;
  return `cannot be read (${firstLine(error)}): check the path and its permissions`;
}

function ownName(): string {
  const uid = process.getuid?.();
  return uid === undefined ? "this user" : `user ${uid}`;
}

/** Returns the first line of an error's message. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
