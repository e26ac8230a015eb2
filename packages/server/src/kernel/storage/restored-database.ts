import BetterSqlite from "better-sqlite3";
import { StartError } from "../errors/errors.ts";
import { asDatabaseStartError } from "../errors/start-error.ts";
import { applicationId } from "./database.ts";
import { checkDatabase } from "./database-check.ts";
import { readMigrations } from "./migrate.ts";
import { noteRestored } from "./origin.ts";

/** Reads the whole database of a backup; throws a `StartError` if it is damaged or from a newer version. */
export function requireSoundDatabase(path: string): void {
  for (const { table, problems } of checkDatabase(path)) {
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

/** Makes the daemon that opens the database next hold everything. */
export function markRestored(path: string): void {
  withDatabase(path, (sqlite) => {
    sqlite.pragma("synchronous = FULL");
    noteRestored(sqlite);
  });
}

function withDatabase<T>(path: string, work: (sqlite: InstanceType<typeof BetterSqlite>) => T): T {
  let sqlite: InstanceType<typeof BetterSqlite> | null = null;
  try {
    sqlite = new BetterSqlite(path, { fileMustExist: true });
    return work(sqlite);
  } catch (error) {
    throw asDatabaseStartError(error, path);
  } finally {
    sqlite?.close();
  }
}
