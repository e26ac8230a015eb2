import {
  Column,
  eq,
  type GetColumnData,
  getTableColumns,
  is,
  Param,
  Placeholder,
  type Query,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RunResult } from "better-sqlite3";
import type { Db } from "./database.ts";
import type { PageStart } from "./page.ts";

/** Values of a prepared statement, by placeholder. A condition without its value is left out. */
export type StatementValues = Readonly<Record<string, unknown>>;

/** Far more than clients use; beyond it, statements are prepared again. */
const shapesMax = 256;

/**
 * Prepares a statement with optional conditions, once for each set of given values. `given` tells the builder which
 * conditions to write. So the statement runs as fast as one written by hand.
 */
export function perShape<S>(
  build: (given: (name: string) => boolean, names: readonly string[]) => S,
): (values: StatementValues) => S {
  const prepared = new Map<string, S>();
  return (values) => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined);
    const shape = names.join();
    let statement = prepared.get(shape);
    if (statement === undefined) {
      if (prepared.size === shapesMax) prepared.clear();
      prepared.set(shape, (statement = build((name) => names.includes(name), names)));
    }
    return statement;
  };
}

type Columns<T extends SQLiteTable> = T["$inferSelect"];
type SomeColumns = Readonly<Record<string, SQLiteColumn>>;
type RowOf<C extends SomeColumns> = { readonly [N in keyof C]: GetColumnData<C[N]> };

/**
 * Finds one row by its id. The columns' decoders are looked up once: Drizzle's own mapping looks them up for each row,
 * which doubles the cost of the read.
 */
export function preparedFind<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: Db,
  table: T,
): (id: string) => Columns<T> | undefined {
  return preparedFindBy(db, table, table.id);
}

/** Finds one row by the value of a column that is unique, as `preparedFind` does by the id. */
export function preparedFindBy<T extends SQLiteTable>(
  db: Db,
  table: T,
  unique: SQLiteColumn,
): (value: string) => Columns<T> | undefined {
  return preparedFindColumns(db, getTableColumns(table), unique) as (value: string) => Columns<T> | undefined;
}

/** Finds these columns of one row. A row without its blobs is read in half the time. */
export function preparedFindColumns<C extends SomeColumns>(
  db: Db,
  columns: C,
  unique: SQLiteColumn,
): (value: string) => { readonly [N in keyof C]: GetColumnData<C[N]> } | undefined {
  const { sql: text } = db
    .select(columns)
    .from(unique.table)
    .where(eq(unique, sql.placeholder("value")))
    .toSQL();
  const statement = db.$client.prepare<[string], readonly unknown[]>(text).raw();
  const read = rowReader(columns);
  return (value) => {
    const values = statement.get(value);
    return values === undefined ? undefined : read(values);
  };
}

/** Prepares a query of these columns of many rows, as `preparedFindColumns` does of one. */
export function preparedRows<C extends SomeColumns>(
  db: Db,
  columns: C,
  builder: { readonly toSQL: () => Query },
): (values: StatementValues) => readonly RowOf<C>[] {
  const { sql: text, params } = builder.toSQL();
  const statement = db.$client.prepare<unknown[], readonly unknown[]>(text).raw();
  const binders = params.map(binderOf);
  const read = rowReader(columns);
  return (values) => statement.all(...binders.map((bind) => bind(values))).map(read);
}

function rowReader<C extends SomeColumns>(columns: C): (values: readonly unknown[]) => RowOf<C> {
  const decoders = Object.entries(columns).map(([name, column]) => ({
    name,
    decode: isDecoded(column) ? (value: unknown): unknown => column.mapFromDriverValue(value) : null,
  }));
  return (values) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < decoders.length; at++) {
      const { name, decode } = decoders[at]!;
      const stored = values[at];
      row[name] = decode === null || stored === null ? stored : decode(stored);
    }
    // safe because every column of `columns` has its member
    return row as RowOf<C>;
  };
}

function isDecoded(column: Column): boolean {
  return column.mapFromDriverValue !== Column.prototype.mapFromDriverValue;
}

/** Inserts a whole row, except columns that SQLite fills, with one prepared statement; returns its rowid. */
export function preparedInsert<T extends SQLiteTable, Filled extends keyof Columns<T> & string = never>(
  db: Db,
  table: T,
  ...filled: readonly Filled[]
): (row: Omit<Columns<T>, Filled>) => number {
  const names = Object.keys(getTableColumns(table)).filter((name) => !(filled as readonly string[]).includes(name));
  const run = preparedRun(db, db.insert(table).values(placeholdersOf<T>(names)));
  return (row) => Number(run(row).lastInsertRowid);
}

/** Changes the given columns of one row, with a statement prepared once for each set of columns. */
export function preparedUpdate<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: Db,
  table: T,
): (id: string, change: Partial<Columns<T>>) => void {
  const runOf = perShape((_given, names) =>
    preparedRun(
      db,
      db
        .update(table)
        .set(placeholdersOf<T>(names))
        .where(eq(table.id, sql.placeholder("whereId"))),
    ),
  );
  return (id, change) => void runOf(change)({ ...change, whereId: id });
}

/** Removes one row by its id. */
export function preparedRemove<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: Db,
  table: T,
): (id: string) => void {
  const run = preparedRun(db, db.delete(table).where(eq(table.id, sql.placeholder("id"))));
  return (id) => void run({ id });
}

/** Prepares a check whether a query finds any row, at half the cost of Drizzle's own mapping of that row. */
export function preparedExists(db: Db, builder: { readonly toSQL: () => Query }): (values: StatementValues) => boolean {
  const { sql: text, params } = builder.toSQL();
  const statement = db.$client.prepare(text).pluck();
  const binders = params.map(binderOf);
  return (values) => statement.get(...binders.map((bind) => bind(values))) !== undefined;
}

/**
 * Prepares a query of one column of numbers. Many of them are read in a fraction of the time that Drizzle's own mapping
 * of rows takes.
 */
export function preparedNumbers(
  db: Db,
  builder: { readonly toSQL: () => Query },
): (values: StatementValues) => readonly number[] {
  const { sql: text, params } = builder.toSQL();
  const statement = db.$client.prepare<unknown[], number>(text).pluck();
  const binders = params.map(binderOf);
  return (values) => statement.all(...binders.map((bind) => bind(values)));
}

/** Prepares a statement, and looks its placeholders and encoders up once, as `preparedFind` does with decoders. */
function preparedRun(db: Db, builder: { readonly toSQL: () => Query }): (values: StatementValues) => RunResult {
  const { sql: text, params } = builder.toSQL();
  const statement = db.$client.prepare(text);
  const binders = params.map(binderOf);
  return (values) => statement.run(...binders.map((bind) => bind(values)));
}

/**
 * Reads one parameter of Drizzle, and returns the function that makes its value. A parameter is a value or a
 * placeholder, and may have a column that encodes it.
 */
function binderOf(param: unknown): (values: StatementValues) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { name } = param.value;
  const { encoder } = param;
  if (encoder.mapToDriverValue === Column.prototype.mapToDriverValue) return (values) => values[name];
  return (values) => encoder.mapToDriverValue(values[name]);
}

/**
 * Makes a placeholder for each column. Safe because Drizzle accepts a placeholder wherever it accepts a value, and
 * encodes the value as the column does.
 */
function placeholdersOf<T extends SQLiteTable>(names: readonly string[]): T["$inferInsert"] {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as T["$inferInsert"];
}

/**
 * Compares a column with a placeholder whose value is encoded as the column stores it. SQLite itself rejects a value
 * such as `true`.
 */
export function equalsStored(column: SQLiteColumn, placeholder: string): SQL {
  return eq(column, sql.param(sql.placeholder(placeholder), column));
}

/**
 * Compares `enabled` with the requested value. `isFound` lets SQLite use the index, for lists without a narrower
 * filter. SQLite has no statistics: it would take half of all rows for as few as those of one group. So beside a
 * narrower filter, a `+` hides the index.
 */
export function switchedTo(column: SQLiteColumn, { isFound }: { readonly isFound: boolean }): SQL {
  const equals = equalsStored(column, "enabled");
  return isFound ? equals : sql`+${equals}`;
}

/** Selects the rows after the cursor in `(at, id)` order, newest first. */
export function afterCursor(at: SQLWrapper, id: SQLWrapper): SQL {
  return sql`(${at}, ${id}) < (${sql.placeholder("afterAt")}, ${sql.placeholder("afterId")})`;
}

/** Makes the values for `afterCursor` and for the limit, which is one more than requested to detect the last page. */
export function pageValues(page: { readonly limit: number; readonly after: PageStart | null }): StatementValues {
  return { limit: page.limit + 1, afterAt: page.after?.at, afterId: page.after?.id };
}
