import BetterSqlite, { type Database as Sqlite } from "better-sqlite3";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DamageError, sqliteCode, StartError } from "../errors/errors.ts";
import { asDatabaseStartError } from "../errors/start-error.ts";
import { busyTimeoutMs } from "./busy-timeout.ts";

/**
 * The connection on which stores prepare their statements. It is the only one and synchronous, so that statements never
 * interleave.
 */
export type Db = BetterSQLite3Database & { readonly $client: Sqlite };

export interface OpenDatabase {
  readonly sqlite: Sqlite;
  readonly db: Db;
  readonly close: () => void;
  /** Writes the write-ahead log into the database and begins a new one, if the log's file was removed. */
  readonly renewLog: () => void;
  /**
   * Writes the write-ahead log into the database, and leaves it empty. Returns false while another program is reading.
   */
  readonly emptyLog: () => boolean;
}

/** "BELF": distinguishes our database from other SQLite files. */
export const applicationId = 0x42454c46;

/** Opens or creates the file with mode 0600, in WAL mode. Every commit is on disk before it is answered. */
export function openDatabase(path: string): OpenDatabase {
  let sqlite: Sqlite | null = null;
  try {
    // the write-ahead log and its index take the mode of the main file
    if (!existsSync(path)) closeSync(openSync(path, "w", 0o600));
    chmodSync(path, 0o600);
    sqlite = new OurSqlite(path, { timeout: busyTimeoutMs });
    beginLog(sqlite);
    // 16 MB: a checkpoint waits for the disk, and copies a page that changes often only once
    sqlite.pragma("wal_autocheckpoint = 4000");
    // in memory, because one call can need more than 64 KB to undo a savepoint: a file for it takes a third of the
    // call's time
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

/** Runs the work without waiting for a reader, such as a check of the database, which may take long. */
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

/**
 * Adds the tables to an error about a damaged page. SQLite does not name them, but the statement knows what it reads
 * and writes.
 */
function nameDamage<S extends object>(statement: S, text: string): S {
  // safe because each method is replaced by one that passes on its arguments and its result
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
 * Hides bound values from SQLite's planner with a `+`. Otherwise SQLite compiles a statement with `LIMIT ?`, or with
 * `column = ?` and `ORDER BY`, again at every call. A page of two runs among 20,000 then takes 15 us instead of 3 us.
 */
function hideValues(text: string): string {
  return text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? "+?" : part));
}

/**
 * Reads the settings back after the first write, because that write can reset `synchronous` to its compiled-in NORMAL.
 */
export function requireDurable(sqlite: Sqlite): void {
  const synchronous = sqlite.pragma("synchronous", { simple: true });
  const journal = sqlite.pragma("journal_mode", { simple: true });
  if (synchronous !== 2 || journal !== "wal") {
    throw new StartError(
      `SQLite did not accept the settings that protect the database from power loss (journal_mode is ${String(journal)} but must be wal, synchronous is ${String(synchronous)} but must be 2): put the data directory on a local disk, or choose another --data-dir`,
    );
  }
}

function requireOurs(sqlite: Sqlite, path: string): void {
  const id = sqlite.pragma("application_id", { simple: true });
  const tables = sqlite.prepare("SELECT count(*) AS n FROM sqlite_schema").pluck().get();
  if (id !== applicationId && tables !== 0)
    throw new StartError(
      `${path} is a SQLite database, but not a Belfry database: move the file away or choose another --data-dir`,
    );
}
