import { Column, eq, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./database.ts";
import type { PageStart } from "./page.ts";

/** Values of a prepared statement, by placeholder; those not given leave their condition out. */
export type StatementValues = Readonly<Record<string, unknown>>;

/**
 * A statement with optional conditions, prepared once for each set of values in use. `given` tells the builder which
 * conditions to write; the statement then runs as fast as one written by hand.
 */
export function perShape<S>(
  build: (given: (name: string) => boolean, names: readonly string[]) => S,
): (values: StatementValues) => S {
  const prepared = new Map<string, S>();
  return (values) => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined);
    const shape = names.join();
    let statement = prepared.get(shape);
    if (statement === undefined) prepared.set(shape, (statement = build((name) => names.includes(name), names)));
    return statement;
  };
}

type Columns<T extends SQLiteTable> = T["$inferSelect"];

/**
 * Finds one row by its id. The columns' decoders are looked up once: Drizzle's own mapping finds them anew for each row,
 * which costs as much again as the read.
 */
export function preparedFind<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: Db,
  table: T,
): (id: string) => Columns<T> | undefined {
  const decoders = Object.entries(getTableColumns(table)).map(([name, column]) => ({
    name,
    decode: isDecoded(column) ? (value: unknown): unknown => column.mapFromDriverValue(value) : null,
  }));
  const { sql: text } = db
    .select()
    .from(table)
    .where(eq(table.id, sql.placeholder("id")))
    .toSQL();
  const statement = db.$client.prepare<[string], readonly unknown[]>(text).raw();
  return (id) => {
    const values = statement.get(id);
    if (values === undefined) return undefined;
    const row: Record<string, unknown> = {};
    for (let at = 0; at < decoders.length; at++) {
      const { name, decode } = decoders[at]!;
      const value = values[at];
      row[name] = decode === null || value === null ? value : decode(value);
    }
    return row;
  };
}

function isDecoded(column: Column): boolean {
  return column.mapFromDriverValue !== Column.prototype.mapFromDriverValue;
}

/** Inserts a whole row through one prepared statement. */
export function preparedInsert<T extends SQLiteTable>(db: Db, table: T): (row: Columns<T>) => void {
  const statement = db
    .insert(table)
    .values(placeholdersOf<T>(Object.keys(getTableColumns(table))))
    .prepare();
  return (row) => void statement.run({ ...row });
}

/** Changes named columns of one row, through a statement prepared once for each set of columns. */
export function preparedUpdate<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: Db,
  table: T,
): (id: string, change: Partial<Columns<T>>) => void {
  const statementOf = perShape((_given, names) =>
    db
      .update(table)
      .set(placeholdersOf<T>(names))
      .where(eq(table.id, sql.placeholder("whereId")))
      .prepare(),
  );
  return (id, change) => void statementOf(change).run({ ...change, whereId: id });
}

/** Safe because Drizzle takes a placeholder wherever it takes a value, and encodes what fills it by the column. */
function placeholdersOf<T extends SQLiteTable>(names: readonly string[]): T["$inferInsert"] {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as T["$inferInsert"];
}

/** Equal to the value of a placeholder, as the column stores it: a bare placeholder hands SQLite what it cannot take, such as `true`. */
export function equalsStored(column: SQLiteColumn, placeholder: string): SQL {
  return eq(column, sql.param(sql.placeholder(placeholder), column));
}

/**
 * The column `enabled` is as asked for. Only where nothing narrower is asked for as well are rows found by it: to SQLite,
 * which does not know how many there are, half of all looks as good as the few of one group. A `+` hides the index.
 */
export function switchedTo(column: SQLiteColumn, { isFound }: { readonly isFound: boolean }): SQL {
  const equals = equalsStored(column, "enabled");
  return isFound ? equals : sql`+${equals}`;
}

/** Rows behind the start of the page in `(at, id)` order, newest first. */
export function behind(at: SQLWrapper, id: SQLWrapper): SQL {
  return sql`(${at}, ${id}) < (${sql.placeholder("afterAt")}, ${sql.placeholder("afterId")})`;
}

/** The placeholders of `behind` and of the limit, which is one more than asked for: so the last page knows it is the last. */
export function pageValues(page: { readonly limit: number; readonly after: PageStart | null }): StatementValues {
  return { limit: page.limit + 1, afterAt: page.after?.at, afterId: page.after?.id };
}
