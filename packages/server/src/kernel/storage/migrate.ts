import type { Database as Sqlite } from "better-sqlite3";
import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { applicationId } from "./database.ts";
import { StartError } from "../errors/errors.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Work that SQL cannot do, by the name of its migration. Runs after its SQL, in the same transaction. */
export type MigrationSteps = Readonly<Record<string, () => void>>;

/** The folder of the migrations, as seen from the source and from the bundle. */
const shippedFolder = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../../drizzle" : "../../drizzle", import.meta.url),
);

/** Reads the migrations in order. They are named `0001_name.sql`, without gaps. */
export function readMigrations(folder = shippedFolder): readonly Migration[] {
  const found = readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ number: Number(file.slice(0, 4)), name: file, sql: readFileSync(`${folder}/${file}`, "utf8") }));
  found.forEach(({ number, name }, index) => {
    if (number !== index + 1)
      throw new Error(`migration ${name} is at position ${index + 1}: migrations must be numbered without gaps`);
  });
  return found;
}

/**
 * Brings the schema up to date; rejects a database newer than this program. It is our own, because a library runs
 * migrations inside a transaction, where `foreign_keys = OFF` has no effect: rebuilding a parent table would delete its
 * children's rows.
 */
export function migrate(
  sqlite: Sqlite,
  migrations: readonly Migration[],
  steps: MigrationSteps = {},
): { readonly from: number; readonly to: number } {
  const from = sqlite.pragma("user_version", { simple: true }) as number;
  const to = migrations.length;
  if (from > to) {
    throw new StartError(
      `the database was written by a newer version of Belfry (it has schema ${from}, and this version supports at most schema ${to}): install the newer version or restore a backup`,
    );
  }
  if (from === to) return { from, to };
  if (from > 0) keepCopy(sqlite, `${sqlite.name}.before-${from + 1}`);
  sqlite.pragma("foreign_keys = OFF");
  try {
    // all or none: after a failure in the middle, the next start would keep a copy of that state in place of the former one
    sqlite
      .transaction(() => {
        for (const migration of migrations.slice(from)) apply(sqlite, migration, steps[migration.name]);
      })
      .immediate();
  } finally {
    sqlite.pragma("foreign_keys = ON");
  }
  return { from, to };
}

/** Applies one migration within a transaction. */
function apply(sqlite: Sqlite, migration: Migration, step?: () => void): void {
  const removable = new Set([...migration.sql.matchAll(/^-- removes rows of: (\w+)$/gm)].map((match) => match[1]!));
  const before = countRows(sqlite);
  sqlite.exec(migration.sql);
  step?.();
  const after = countRows(sqlite);
  for (const [table, rows] of before) {
    const left = after.get(table) ?? 0;
    if (left < rows && !removable.has(table))
      throw new Error(`${migration.name} would lose ${rows - left} rows of ${table}`);
  }
  const broken = sqlite.pragma("foreign_key_check") as { readonly table: string }[];
  if (broken.length > 0) throw new Error(`${migration.name} leaves broken references in ${broken[0]!.table}`);
  sqlite.pragma(`application_id = ${applicationId}`);
  sqlite.pragma(`user_version = ${migration.number}`);
}

function countRows(sqlite: Sqlite): Map<string, number> {
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  return new Map(
    tables.map((table) => [table, sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number]),
  );
}

/**
 * Keeps a copy of the database, and removes older ones: they may contain secrets that were erased since. Replaces the
 * copy of an interrupted migration.
 */
function keepCopy(sqlite: Sqlite, path: string): void {
  rmSync(path, { force: true });
  sqlite.prepare("VACUUM INTO ?").run(path);
  chmodSync(path, 0o600);
  const folder = dirname(path);
  const others = readdirSync(folder).filter((name) => isCopyOf(sqlite.name, name) && name !== basename(path));
  for (const name of others) rmSync(join(folder, name));
}

function isCopyOf(database: string, name: string): boolean {
  const beginning = `${basename(database)}.before-`;
  return name.startsWith(beginning) && /^\d+$/.test(name.slice(beginning.length));
}
