import { tempDir } from "@belfry/test-kit";
import { and, eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import {
  afterCursor,
  equalsStored,
  pageValues,
  perShape,
  preparedInsert,
  preparedUpdate,
  switchedTo,
} from "./statements.ts";

const things = sqliteTable("things", {
  id: text("id").primaryKey(),
  at: integer("at").notNull(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  tags: text("tags_json", { mode: "json" }).$type<readonly string[]>().notNull(),
  note: text("note"),
});

async function openThings() {
  const dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  sqlite.exec(
    "CREATE TABLE things (id TEXT PRIMARY KEY, at INTEGER NOT NULL, is_on INTEGER NOT NULL, tags_json TEXT NOT NULL, note TEXT) STRICT",
  );
  return {
    db,
    sqlite,
    all: () => db.select().from(things).all(),
    [Symbol.asyncDispose]: async () => {
      close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const thing = (id: string, more: object = {}) => ({ id, at: 1, isOn: true, tags: ["a"], note: null, ...more });

test("a statement is prepared once for each set of values, and no more than 256 are kept", () => {
  let built = 0;
  const statement = perShape((_, names) => (built++, names.join()));
  const ask = (number: number) => statement({ [`value${number}`]: 1, left: undefined });
  for (let number = 0; number < 256; number++) ask(number);
  expect([ask(0), built]).toEqual(["value0", 256]);
  ask(256);
  expect([ask(256), ask(0), built]).toEqual(["value256", "value0", 258]);
});

test("an inserted row is read back unchanged, including booleans, lists and nulls", async () => {
  await using app = await openThings();
  const insert = preparedInsert(app.db, things);
  const rows = [thing("a"), thing("b", { isOn: false, tags: [], note: "'; DROP TABLE things; --" })];
  rows.forEach(insert);
  expect(app.all()).toEqual(rows);
});

test("an update changes the columns it names in the row it names, and null is a value", async () => {
  await using app = await openThings();
  const [insert, update] = [preparedInsert(app.db, things), preparedUpdate(app.db, things)];
  insert(thing("a", { note: "before" }));
  insert(thing("b", { note: "before" }));
  update("a", { note: null, isOn: false });
  update("a", { tags: ["c", "d"] });
  expect(app.all()).toEqual([thing("a", { isOn: false, tags: ["c", "d"] }), thing("b", { note: "before" })]);
});

test("a statement has a condition for each given value, and is prepared once for each set of values", async () => {
  await using app = await openThings();
  const insert = preparedInsert(app.db, things);
  insert(thing("a", { isOn: true, note: "x" }));
  insert(thing("b", { isOn: false, note: "x" }));
  insert(thing("c", { isOn: false, note: "y" }));
  let made = 0;
  const listing = perShape((given) => {
    made++;
    const isOn = given("isOn") ? equalsStored(things.isOn, "isOn") : undefined;
    const note = given("note") ? eq(things.note, sql.placeholder("note")) : undefined;
    return app.db.select({ id: things.id }).from(things).where(and(isOn, note)).prepare();
  });
  const list = (values: object) =>
    listing({ ...values })
      .all({ ...values })
      .map(({ id }) => id);
  expect(list({})).toEqual(["a", "b", "c"]);
  expect(list({ isOn: true })).toEqual(["a"]);
  expect(list({ isOn: false })).toEqual(["b", "c"]);
  expect(list({ isOn: false, note: "x" })).toEqual(["b"]);
  expect(list({ isOn: undefined, note: "x" })).toEqual(["a", "b"]);
  expect(list({ note: "y" })).toEqual(["c"]);
  expect(made).toBe(4);
});

test("a filter by a switch uses its index only if no narrower filter is given", async () => {
  await using app = await openThings();
  const switches = sqliteTable("switches", { at: integer("at"), enabled: integer("enabled", { mode: "boolean" }) });
  app.sqlite.exec(
    "CREATE TABLE switches (at INTEGER, enabled INTEGER); CREATE INDEX by_switch ON switches (enabled, at)",
  );
  const planOf = (isFound: boolean): string => {
    const query = app.db.select().from(switches).where(switchedTo(switches.enabled, { isFound })).toSQL();
    const plan = app.sqlite.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(1) as { readonly detail: string }[];
    return plan.map(({ detail }) => detail).join("\n");
  };
  expect(planOf(true)).toMatch(/^SEARCH switches USING .*INDEX by_switch \(enabled=\?\)$/);
  expect(planOf(false)).toMatch(/^SCAN switches/);
});

test("a page has the rows after its cursor in (at, id) order, newest first, and one more than requested", async () => {
  await using app = await openThings();
  const insert = preparedInsert(app.db, things);
  for (const [at, id] of [
    [1, "a"],
    [2, "b"],
    [2, "c"],
    [2, "d"],
    [3, "e"],
  ] as const)
    insert(thing(id, { at }));
  const list = (limit: number, after: { at: number; id: string }) =>
    app.db
      .select({ id: things.id })
      .from(things)
      .where(afterCursor(things.at, things.id))
      .orderBy(sql`${things.at} DESC, ${things.id} DESC`)
      .limit(sql.placeholder("limit"))
      .prepare()
      .all({ ...pageValues({ limit, after }) })
      .map(({ id }) => id);
  expect(list(10, { at: 2, id: "c" })).toEqual(["b", "a"]);
  expect(list(1, { at: 3, id: "e" })).toEqual(["d", "c"]);
  expect(list(10, { at: 1, id: "a" })).toEqual([]);
});
