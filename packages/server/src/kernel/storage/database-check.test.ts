import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDatabase } from "./database-check.ts";

/** Two tables of many pages, with references from the second to the first. */
async function openDatabase() {
  const dir = await tempDir();
  const path = join(dir.path, "test.db");
  const sqlite = new BetterSqlite(path);
  sqlite.exec(`PRAGMA foreign_keys = OFF; PRAGMA journal_mode = WAL;
    CREATE TABLE parents (id INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id), text TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO parents SELECT i, printf('%200d', i) FROM n;
    INSERT INTO children SELECT id, id, text FROM parents;`);
  return { path, sqlite, [Symbol.asyncDispose]: () => (sqlite.close(), dir[Symbol.asyncDispose]()) };
}

test("an intact database is reported as intact while another connection uses it, and no byte of it changes", async () => {
  await using database = await openDatabase();
  const before = readFileSync(database.path);
  expect([...checkDatabase(database.path)]).toEqual([
    { table: "children", problems: [] },
    { table: "parents", problems: [] },
  ]);
  expect(readFileSync(database.path)).toEqual(before);
});

test("a damaged page is reported for its own table only", async () => {
  await using database = await openDatabase();
  database.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const pageSize = database.sqlite.pragma("page_size", { simple: true }) as number;
  const sql = "SELECT max(pageno) FROM dbstat WHERE name = 'parents'";
  const page = database.sqlite.prepare<[], number>(sql).pluck().get()!;
  writeSync(openSync(database.path, "r+"), Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize);
  const [children, parents] = [...checkDatabase(database.path)];
  expect(children).toEqual({ table: "children", problems: [] });
  expect(parents).toMatchObject({ table: "parents" });
  expect(parents!.problems).not.toEqual([]);
});

test("a reference to a missing row is reported for the table that contains the reference", async () => {
  await using database = await openDatabase();
  database.sqlite.exec("DELETE FROM parents WHERE id = 7");
  expect([...checkDatabase(database.path)]).toEqual([
    { table: "children", problems: ["a row refers to a row of parents that does not exist"] },
    { table: "parents", problems: [] },
  ]);
});

test("a missing file, and a file that is not a database, is reported for the file", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "none.db");
  expect([...checkDatabase(path)]).toEqual([{ table: null, problems: [`there is no database at ${path}`] }]);
  writeSync(openSync(path, "w"), "no database ".repeat(1_000));
  expect([...checkDatabase(path)]).toEqual([{ table: null, problems: ["file is not a database (SQLITE_NOTADB)"] }]);
});
