import BetterSqlite, { type Database as Sqlite } from "better-sqlite3";
import { existsSync } from "node:fs";
import { busyTimeoutMs } from "./busy-timeout.ts";
import { sqliteCode } from "../errors/errors.ts";

export interface TableCheck {
  /** Null for a problem of the file as a whole. */
  readonly table: string | null;
  /** The problems that SQLite reports; empty if there are none. */
  readonly problems: readonly string[];
  /** The error that kept the table from being read, if it says nothing about the database, such as a full disk. */
  readonly obstacle?: Error;
}

/** The maximum number of problems per table: more add no information. */
const problemsMax = 10;

/**
 * Reads every row and index through a connection that writes nothing. Each table is read on its own, so that a running
 * daemon can write its log into the database between two tables.
 */
export function* checkDatabase(path: string): Generator<TableCheck> {
  if (!existsSync(path)) {
    yield { table: null, problems: [`there is no database at ${path}`] };
    return;
  }
  let sqlite: Sqlite | null = null;
  try {
    sqlite = new BetterSqlite(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    for (const table of listTables(sqlite)) yield { table, ...checkTable(sqlite, table) };
  } catch (error) {
    yield { table: null, ...explain(error) };
  } finally {
    sqlite?.close();
  }
}

function listTables(sqlite: Sqlite): readonly string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  return sqlite.prepare<[], string>(sql).pluck().all();
}

function checkTable(sqlite: Sqlite, table: string): Omit<TableCheck, "table"> {
  const found = findDamage(sqlite, table);
  return { ...found, problems: [...found.problems, ...findBrokenReferences(sqlite, table)].slice(0, problemsMax) };
}

function findDamage(sqlite: Sqlite, table: string): Omit<TableCheck, "table"> {
  try {
    const rows = sqlite.pragma(`integrity_check("${table}")`) as readonly { readonly integrity_check: string }[];
    return { problems: rows.flatMap(({ integrity_check: text }) => (text === "ok" ? [] : text.split("\n"))) };
  } catch (error) {
    return explain(error);
  }
}

function findBrokenReferences(sqlite: Sqlite, table: string): readonly string[] {
  try {
    const rows = sqlite.pragma(`foreign_key_check("${table}")`) as readonly { readonly parent: string }[];
    return rows.map(({ parent }) => `a row refers to a row of ${parent} that does not exist`);
  } catch {
    // a damaged table, this one or the referenced one, is reported on its own
    return [];
  }
}

function explain(error: unknown): Omit<TableCheck, "table"> {
  if (!(error instanceof Error)) return { problems: [String(error)] };
  const code = sqliteCode(error) ?? "no SQLite code";
  return {
    problems: [`${error.message} (${code})`],
    ...(/^SQLITE_(CORRUPT|NOTADB)/.test(code) ? {} : { obstacle: error }),
  };
}
