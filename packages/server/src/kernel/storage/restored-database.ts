import BetterSqlite from "better-sqlite3";
import { existsSync } from "node:fs";
import { StartError } from "../errors/errors.ts";
import { asCommandError } from "../errors/command-error.ts";
import { applicationId } from "./database.ts";
import { checkDatabase } from "./database-check.ts";
import { readMigrations } from "./migrate.ts";
import { sleep, systemClock } from "../time/clock.ts";
import { isMarkedRestored, noteRestored } from "./origin.ts";

/** Reads the whole database of a backup; throws a `StartError` if it is damaged or from a newer version. */
export async function requireSoundDatabase(path: string, signal?: AbortSignal): Promise<void> {
  for (const { table, problems, obstacle } of checkDatabase(path)) {
    // a signal is noticed between two tables
    await sleep(systemClock, 1);
    signal?.throwIfAborted();
    // a disk without space for the files beside the database does not make the backup a damaged one
    if (obstacle !== undefined) throw asCommandError(obstacle, path);
    if (problems.length > 0)
      throw new StartError(
        `the database of the backup is damaged${table === null ? "" : ` (table ${table})`}: ${problems[0]}. Use another backup`,
      );
  }
  withDatabase(path, (sqlite) => {
    const schema = sqlite.pragma("user_version", { simple: true }) as number;
    if (sqlite.pragma("application_id", { simple: true }) !== applicationId || schema === 0)
      throw new StartError("the database of the backup is not a Belfry database: use another backup");
    const newest = readMigrations().length;
    if (schema > newest)
      throw new StartError(
        `the backup was made by a newer version of Belfry (it has schema ${schema}, and this version supports at most schema ${newest}): install the newer version first`,
      );
  });
}

/** Returns the fingerprint of the key that sealed the database's secrets. */
export function readKeyFingerprint(path: string): string | null {
  return withDatabase(
    path,
    (sqlite) =>
      (sqlite.prepare("SELECT value FROM meta WHERE key = 'sealing_key'").pluck().get() as string | undefined) ?? null,
  );
}

/**
 * Makes the daemon that opens the database next hold everything. The mark is in the database file itself: a file that
 * is moved leaves its write-ahead log behind.
 */
export function markRestored(path: string): void {
  withDatabase(path, (sqlite) => {
    const mode = sqlite.pragma("journal_mode = DELETE", { simple: true });
    if (mode !== "delete") throw new StartError(`another program uses ${path}: stop it, and restore again`);
    sqlite.pragma("synchronous = FULL");
    noteRestored(sqlite);
  });
  requireWholeFile(path);
  if (!withDatabase(path, isMarkedRestored, { readonly: true }))
    throw new StartError(`${path} was not written as a restored database: check the disk, and restore again`);
}

/** Requires that no change of the database is in a file beside it. */
export function requireWholeFile(path: string): void {
  for (const beside of [`${path}-wal`, `${path}-journal`])
    if (existsSync(beside)) throw new StartError(`another program uses ${path}: stop it, and restore again`);
}

function withDatabase<T>(
  path: string,
  work: (sqlite: InstanceType<typeof BetterSqlite>) => T,
  { readonly = false } = {},
): T {
  let sqlite: InstanceType<typeof BetterSqlite> | null = null;
  try {
    sqlite = new BetterSqlite(path, { fileMustExist: true, readonly });
    return work(sqlite);
  } catch (error) {
    throw asCommandError(error, path);
  } finally {
    sqlite?.close();
  }
}
