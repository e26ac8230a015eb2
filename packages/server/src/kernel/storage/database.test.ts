import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { chmod, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applicationId, openDatabase, requireDurable } from "./database.ts";
import { StartError } from "../errors/errors.ts";

test("a new and an existing file have every setting that keeps commits and secrets safe", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "test.db");
  for (const table of ["first", "second"]) {
    const { sqlite, close } = openDatabase(path);
    sqlite.exec(`CREATE TABLE ${table} (id INTEGER) STRICT; PRAGMA application_id = ${applicationId}`);
    const read = (name: string) => sqlite.pragma(name, { simple: true });
    expect(read("synchronous")).toBe(2);
    expect(read("journal_mode")).toBe("wal");
    expect(read("foreign_keys")).toBe(1);
    expect(read("secure_delete")).toBe(1);
    expect(read("trusted_schema")).toBe(0);
    expect(read("temp_store")).toBe(2);
    requireDurable(sqlite);
    close();
  }
});

test("a query is rewritten so that SQLite does not recompile it for other values, with the same results", async () => {
  await using dir = await tempDir();
  const { sqlite, close } = openDatabase(join(dir.path, "test.db"));
  sqlite.exec("CREATE TABLE things (id TEXT, bytes BLOB, at INTEGER) STRICT");
  sqlite.prepare("INSERT INTO things VALUES (?, ?, ?)").run("what?", Buffer.from("a"), 1);
  sqlite.prepare("INSERT INTO things VALUES (?, ?, ?)").run("2", Buffer.from("b"), 2);
  const query = sqlite.prepare(
    `SELECT "id", 'why?' AS "?" FROM things WHERE id = ? AND bytes = ? AND at >= ? ORDER BY at LIMIT ?`,
  );
  expect(query.source).toBe(
    `SELECT "id", 'why?' AS "?" FROM things WHERE id = +? AND bytes = +? AND at >= +? ORDER BY at LIMIT +?`,
  );
  expect(query.all("what?", Buffer.from("a"), 1, 5)).toEqual([{ id: "what?", "?": "why?" }]);
  expect(query.all("2", Buffer.from("b"), 1, 5)).toHaveLength(1);
  expect(query.all("2", Buffer.from("b"), 1, 0)).toEqual([]);
  expect(query.all("2", Buffer.from("b"), 3, 5)).toEqual([]);
  close();
});

test("a database whose settings do not protect commits is refused", async () => {
  await using dir = await tempDir();
  const { sqlite, close } = openDatabase(join(dir.path, "test.db"));
  sqlite.pragma("synchronous = NORMAL");
  expect(() => requireDurable(sqlite)).toThrow("(journal_mode is wal but must be wal, synchronous is 1 but must be 2)");
  close();
});

test("the database file, its log and its index are private to their owner, whatever their former mode", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "test.db");
  openDatabase(path).close();
  await chmod(path, 0o644);
  const { sqlite, close } = openDatabase(path);
  sqlite.exec("CREATE TABLE some (id INTEGER) STRICT");
  for (const name of ["", "-wal", "-shm"]) expect((await stat(`${path}${name}`)).mode & 0o777, name).toBe(0o600);
  close();
});

test("a database of another program is refused, and not changed", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "others.db");
  const others = new BetterSqlite(path);
  others.exec("CREATE TABLE theirs (id INTEGER)");
  others.close();
  expect(() => openDatabase(path)).toThrow(
    new StartError(
      `${path} is a SQLite database, but not a Belfry database: move the file away or choose another --data-dir`,
    ),
  );
});

test("a file that is not a database is refused with a whole sentence", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "text.db");
  await writeFile(path, "not a database ".repeat(1_000));
  expect(() => openDatabase(path)).toThrow(
    `the database ${path} is damaged: run \`belfry doctor --database\` to list the damage, then restore a backup`,
  );
  expect(() => openDatabase(join(dir.path, "nowhere", "test.db"))).toThrow(/nowhere/);
});
