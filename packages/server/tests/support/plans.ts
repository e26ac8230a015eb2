import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { type Db, openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";

/** SQLite's query plan of each statement that one call of a store runs, with today's schema. */
export async function plansOf<S>(createStore: (db: Db) => S, call: (store: S) => unknown): Promise<readonly string[]> {
  await using dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  migrate(sqlite, readMigrations());
  const texts: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite);
  const watch = (text: string) => {
    const statement = prepare(text);
    for (const name of ["all", "get", "run"] as const) {
      const execute = statement[name].bind(statement);
      const value = (...values: readonly unknown[]) => (texts.push(statement.source), execute(...values));
      Object.defineProperty(statement, name, { value });
    }
    return statement;
  };
  Object.assign(sqlite, { prepare: watch });
  call(createStore(db));
  const plans = texts.map((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 1);
    const steps = prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { readonly detail: string }[];
    return steps.map(({ detail }) => detail).join("; ");
  });
  close();
  return plans;
}
