import BetterSqlite, { type Database as Sqlite } from "better-sqlite3";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { sqliteCode, StartError } from "./errors.ts";

/** What stores prepare their statements on: one connection, synchronous, so that no two of them ever interleave. */
export type Db = BetterSQLite3Database & { readonly $client: Sqlite };

export interface OpenDatabase {
  readonly sqlite: Sqlite;
  readonly db: Db;
  readonly close: () => void;
}

/** "BELF": tells our database from any other SQLite file. */
export const applicationId = 0x42454c46;

/** Opens or creates the file 0600, in WAL with every commit on disk before it is answered, and reads those settings back. */
export function openDatabase(path: string): OpenDatabase {
  try {
    // the write-ahead log and its index take the mode of the main file
    if (!existsSync(path)) closeSync(openSync(path, "w", 0o600));
    chmodSync(path, 0o600);
    const sqlite = new SqliteCompilingOnce(path, { timeout: 5_000 });
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    // 16 MB: what is written often is carried over once, and each carrying waits for the disk
    sqlite.pragma("wal_autocheckpoint = 4000");
    // what a savepoint would undo outgrows 64 KB in one call, and would then go to a file: a third of what a call costs
    sqlite.pragma("temp_store = MEMORY");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("secure_delete = ON");
    sqlite.pragma("trusted_schema = OFF");
    requireOurs(sqlite, path);
    return { sqlite, db: drizzle({ client: sqlite }), close: () => sqlite.close() };
  } catch (error) {
    throw asStartError(error, path);
  }
}

/**
 * SQLite looks at what a `LIMIT ?` or a `column = ?` beside an `ORDER BY` is bound to when it plans, and so compiles such a
 * statement anew at every call: 20 us for a page of runs that is read in one. A `+` keeps the values out of its sight.
 */
class SqliteCompilingOnce extends BetterSqlite {
  override prepare<Values extends unknown[] | {} = unknown[], Row = unknown>(text: string) {
    return super.prepare<Values, Row>(/^\s*(?:select|with)\b/i.test(text) ? hideValues(text) : text);
  }
}

function hideValues(text: string): string {
  return text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? "+?" : part));
}

/** The compiled-in default drops to NORMAL with the first write after WAL begins: set after it, read back after a write. */
export function requireDurable(sqlite: Sqlite): void {
  const synchronous = sqlite.pragma("synchronous", { simple: true });
  const journal = sqlite.pragma("journal_mode", { simple: true });
  if (synchronous !== 2 || journal !== "wal") {
    throw new StartError(
      `the database does not keep its promise of durability (journal ${String(journal)}, synchronous ${String(synchronous)})`,
    );
  }
}

function requireOurs(sqlite: Sqlite, path: string): void {
  const id = sqlite.pragma("application_id", { simple: true });
  const tables = sqlite.prepare("SELECT count(*) AS n FROM sqlite_schema").pluck().get();
  if (id !== applicationId && tables !== 0) throw new StartError(`${path} is a database, but not one of Belfry's`);
}

function asStartError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error;
  const code = sqliteCode(error) ?? (error instanceof Error && "code" in error ? String(error.code) : "");
  if (/SQLITE_(CORRUPT|NOTADB)/.test(code))
    return new StartError(`the database ${path} is damaged: put it back from a backup`, error);
  if (/SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EROFS|EPERM/.test(code))
    return new StartError(
      `the database ${path} cannot be written: check the permissions of the file and its directory`,
      error,
    );
  if (/SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT/.test(code))
    return new StartError(`the disk of ${path} is full or failing: free some space and start again`, error);
  if (/SQLITE_BUSY/.test(code)) return new StartError(`the database ${path} is in use by another program`, error);
  return error;
}
