import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findArrival } from "./origin.ts";
import { markRestored, requireWholeFile } from "./restored-database.ts";

function makeDatabase(path: string) {
  const sqlite = new BetterSqlite(path, { timeout: 100 });
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
  return sqlite;
}

test("the mark of a restore is in the database file itself", async () => {
  await using place = await tempDir();
  const path = join(place.path, "a.db");
  makeDatabase(path).close();
  markRestored(path);
  expect(existsSync(`${path}-wal`)).toBe(false);
  const alone = join(place.path, "b.db");
  copyFileSync(path, alone);
  const sqlite = new BetterSqlite(alone);
  expect(findArrival(sqlite, "a".repeat(32))).toBe("restored");
  sqlite.close();
});

test("a database that another program has open is not marked, because the mark would stay in its log", async () => {
  await using place = await tempDir();
  const path = join(place.path, "a.db");
  const other = makeDatabase(path);
  other.exec("BEGIN");
  other.prepare("SELECT * FROM meta").all();
  expect(() => markRestored(path)).toThrow(/another program/);
  other.close();
  markRestored(path);
});

test.each(["-wal", "-journal"])("a database with a file %s beside it is not whole", async (end) => {
  await using place = await tempDir();
  const path = join(place.path, "a.db");
  makeDatabase(path).close();
  requireWholeFile(path);
  writeFileSync(`${path}${end}`, "");
  expect(() => requireWholeFile(path)).toThrow(/another program uses/);
});
