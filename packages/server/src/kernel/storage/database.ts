import BetterSqlite, { type Database as Sqlite } from "better-sqlite3";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DamageError, sqliteCode, StartError } from "../errors/errors.ts";
import { asDatabaseStartError } from "../errors/start-error.ts";

/** What stores prepare their statements on: one connection, synchronous, so that no two of them ever interleave. */
export type Db = BetterSQLite3Database & { readonly $client: Sqlite };

export interface OpenDatabase {
  readonly sqlite: Sqlite;
  readonly db: Db;
  readonly close: () => void;
  /** Writes the log into the database and begins a new one, for a log whose file was removed. */
  readonly renewLog: () => void;
  /** Writes the log into the database, and leaves it empty; false while a reader is in the middle of it. */
  readonly emptyLog: () => boolean;
}

/** How long a write waits for another program's lock before it fails. */
export const busyTimeoutMs = 5_000;

/** "BELF": distinguishes our database from other SQLite files. */
export const applicationId = 0x42454c46;

/** Opens or creates the file 0600, in WAL with every commit on disk before it is answered, and reads those settings back. */
export function openDatabase(path: string): OpenDatabase {
  let sqlite: Sqlite | null = null;
  try {
    // the write-ahead log and its index take the mode of the main file
    if (!existsSync(path)) closeSync(openSync(path, "w", 0o600));
    chmodSync(path, 0o600);
    sqlite = new OurSqlite(path, { timeout: busyTimeoutMs });
    beginLog(sqlite);
    // 16 MB: a page that changes often is then copied once; each checkpoint waits for the disk
    sqlite.pragma("wal_autocheckpoint = 4000");
    // what a savepoint would undo outgrows 64 KB in one call, and would then go to a file: a third of what a call costs
    sqlite.pragma("temp_store = MEMORY");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("secure_delete = ON");
    sqlite.pragma("trusted_schema = OFF");
    requireOurs(sqlite, path);
    return {
      sqlite,
      db: drizzle({ client: sqlite }),
      close: sqlite.close.bind(sqlite),
      renewLog: renewLog.bind(null, sqlite),
      emptyLog: emptyLog.bind(null, sqlite),
    };
  } catch (error) {
    sqlite?.close();
    throw asDatabaseStartError(error, path);
  }
}

function beginLog(sqlite: Sqlite): void {
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
}

function renewLog(sqlite: Sqlite): void {
  withoutWaiting(sqlite, () => {
    try {
      sqlite.pragma("journal_mode = DELETE");
    } finally {
      beginLog(sqlite);
    }
    // the first read creates the files
    sqlite.pragma("schema_version");
  });
}

function emptyLog(sqlite: Sqlite): boolean {
  return withoutWaiting(sqlite, () => {
    const [row] = sqlite.pragma("wal_checkpoint(TRUNCATE)") as [{ readonly busy: number }];
    return row.busy === 0;
  });
}

/** A reader, such as a check of the database, may take long: it is not waited for. */
function withoutWaiting<T>(sqlite: Sqlite, work: () => T): T {
  sqlite.pragma("busy_timeout = 0");
  try {
    return work();
  } finally {
    sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}

class OurSqlite extends BetterSqlite {
  override prepare<Values extends unknown[] | {} = unknown[], Row = unknown>(text: string) {
    const compiled = /^\s*(?:select|with)\b/i.test(text) ? hideValues(text) : text;
    return nameDamage(super.prepare<Values, Row>(compiled), text);
  }
}

/** SQLite says that a page is damaged, not whose it is: the statement knows which tables it reads and writes. */
function nameDamage<S extends object>(statement: S, text: string): S {
  // safe because each method is replaced by one that hands on what it is given and what it answers
  const methods = statement as Record<"get" | "all" | "run", (...values: unknown[]) => unknown>;
  for (const method of ["get", "all", "run"] as const) {
    const native = methods[method];
    methods[method] = (...values) => {
      try {
        return native.apply(statement, values);
      } catch (error) {
        throw sqliteCode(error)?.startsWith("SQLITE_CORRUPT") === true ? new DamageError(tablesOf(text), error) : error;
      }
    };
  }
  return statement;
}

function tablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\b(?:from|join|into|update)\s+"?(\w+)/gi)].map((match) => match[1]!))];
}

/**
 * When SQLite plans a `LIMIT ?` or a `column = ?` with an `ORDER BY`, it uses the bound values, and so compiles the statement
 * again at every call: a page of two runs among 20,000 takes 15 us, and 3 us with a `+`, which hides the values.
 */
function hideValues(text: string): string {
  return text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? "+?" : part));
}

/** The compiled-in default drops to NORMAL with the first write after WAL begins: set after it, read back after a write. */
export function requireDurable(sqlite: Sqlite): void {
  const synchronous = sqlite.pragma("synchronous", { simple: true });
  const journal = sqlite.pragma("journal_mode", { simple: true });
  if (synchronous !== 2 || journal !== "wal") {
    throw new StartError(
      `the database is not in durable mode (journal ${String(journal)}, synchronous ${String(synchronous)})`,
    );
  }
}

function requireOurs(sqlite: Sqlite, path: string): void {
  const id = sqlite.pragma("application_id", { simple: true });
  const tables = sqlite.prepare("SELECT count(*) AS n FROM sqlite_schema").pluck().get();
  if (id !== applicationId && tables !== 0)
    throw new StartError(
      `${path} is a SQLite database, but not a Belfry database: move it away or choose another --data-dir`,
    );
}
