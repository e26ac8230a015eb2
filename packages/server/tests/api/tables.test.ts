import { tempDir } from "@belfry/test-kit";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";

const features = fileURLToPath(new URL("../../src/features", import.meta.url));

/** Every table in the code, from every `table.ts`. */
async function tablesOfCode(): Promise<ReadonlyMap<string, SQLiteTable>> {
  const files = readdirSync(features, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("table.ts"),
  );
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(features, file)).href) as Promise<object>),
  );
  const tables = modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));
  return new Map(tables.map((table) => [getTableName(table), table]));
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** A primary key is never null, whether or not SQLite reports it. */
function shape(columns: readonly Column[]) {
  return columns
    .map(({ name, type, notnull, pk }) => ({ name, type: type.toUpperCase(), isRequired: notnull === 1 || pk > 0, pk }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function shapeOf(table: SQLiteTable) {
  const composed = getTableConfig(table).primaryKeys[0]?.columns.map(({ name }) => name) ?? [];
  const columns = Object.values(getTableColumns(table)).map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    notnull: column.notNull ? 1 : 0,
    pk: column.primary ? 1 : composed.indexOf(column.name) + 1,
  }));
  return shape(columns);
}

test("every table in the code equals the migrated one: columns, types, nullability and key", async () => {
  await using dir = await tempDir();
  const { sqlite, close } = openDatabase(join(dir.path, "test.db"));
  migrate(sqlite, readMigrations());
  const known = await tablesOfCode();
  const names = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  // `meta` is the kernel's, which has no query builder
  expect([...known.keys(), "meta"].sort()).toEqual(names.sort());
  for (const [name, table] of known) {
    expect(shapeOf(table), name).toEqual(shape(sqlite.pragma(`table_info("${name}")`) as Column[]));
  }
  close();
});
