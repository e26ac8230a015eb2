import BetterSqlite, { type Database as Sqlite } from "better-sqlite3";
import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { sqliteCode, StartError } from "../errors/errors.ts";
import { quoteForShell } from "../quote-for-shell.ts";
import { identityOf } from "./open-file.ts";

export interface Lock {
  readonly release: () => void;
  /** Takes the lock again if its file was removed; throws `LockedError` if another daemon has taken it. */
  readonly restore: () => boolean;
}

/** Another daemon holds the lock. */
export class LockedError extends StartError {
  constructor(path: string) {
    super(
      `another Belfry daemon is using this data directory (${path} is locked): stop it first with \`belfry --data-dir ${quoteForShell(dirname(path))} daemon stop\``,
    );
    this.name = "LockedError";
  }
}

/**
 * Takes the lock that allows only one daemon per data directory. The kernel frees an SQLite lock however the process
 * ends. This process opens each file only once, because closing a second descriptor of it would drop the lock.
 */
export function takeLock(path: string): Lock {
  const held = new Map<string, Sqlite>();
  const isHeld = (): boolean => held.has(identityOf(path) ?? "");
  const take = (): void => {
    const lock = lockFile(path);
    held.set(identityOf(path)!, lock);
  };
  take();
  return {
    release: () => {
      for (const lock of held.values()) lock.close();
    },
    restore: () => {
      if (isHeld()) return false;
      // a new file: closing it drops no lock on the files that are held
      take();
      return true;
    },
  };
}

function lockFile(path: string): Sqlite {
  let lock: Sqlite | null = null;
  try {
    if (!existsSync(path)) closeSync(openSync(path, "w", 0o600));
    chmodSync(path, 0o600);
    lock = new BetterSqlite(path, { timeout: 0 });
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY") === true) throw new LockedError(path);
    throw new StartError(`the lock file ${path} cannot be used: ${explainUnusable(path)}`, error);
  }
}

/** A daemon or a restore of root leaves files that the owner of the directory cannot use. */
function explainUnusable(path: string): string {
  const owner = existsSync(path) ? statSync(path).uid : undefined;
  const user = process.getuid?.();
  return owner === undefined || owner === user || user === 0
    ? "check the permissions of its directory"
    : `it belongs to user ${owner}, and this process runs as user ${user}. Give all files of this directory to one user, and run the daemon as this user`;
}
