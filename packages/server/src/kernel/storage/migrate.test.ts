import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

async function openFile() {
  const dir = await tempDir();
  const path = join(dir.path, "test.db");
  const { sqlite, close } = openDatabase(path);
  return {
    path,
    sqlite,
    dir: dir.path,
    count: (table: string) => sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    [Symbol.asyncDispose]: async () => {
      close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

function migration(number: number, sql: string): Migration {
  return { number, name: `${String(number).padStart(4, "0")}_test.sql`, sql };
}

const first = migration(
  1,
  `CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT) STRICT;
   CREATE TABLE children (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE) STRICT;
   INSERT INTO parents VALUES (1, 'a'), (2, 'b');
   INSERT INTO children VALUES (1, 1), (2, 1), (3, 2);`,
);
const rebuild = migration(
  2,
  `CREATE TABLE new_parents (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
   INSERT INTO new_parents SELECT id, name FROM parents;
   DROP TABLE parents;
   ALTER TABLE new_parents RENAME TO parents;`,
);

test("a rebuilt parent keeps every row of its children, and its references hold afterwards", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  expect(migrate(file.sqlite, [first, rebuild])).toEqual({ from: 1, to: 2 });
  expect([file.count("parents"), file.count("children")]).toEqual([2, 3]);
  expect(() => file.sqlite.exec("INSERT INTO children VALUES (4, 99)")).toThrow(/FOREIGN KEY/);
  file.sqlite.exec("DELETE FROM parents WHERE id = 1");
  expect(file.count("children")).toBe(1);
});

test("a migration that would lose rows is refused and undone, unless it declares the loss", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  const losing = "DELETE FROM children WHERE id > 1;";
  expect(() => migrate(file.sqlite, [first, migration(2, losing)])).toThrow(
    "0002_test.sql would lose 2 rows of children",
  );
  expect([file.count("children"), file.sqlite.pragma("user_version", { simple: true })]).toEqual([3, 1]);
  expect(() => migrate(file.sqlite, [first, migration(2, "DROP TABLE children;")])).toThrow(
    "would lose 3 rows of children",
  );
  migrate(file.sqlite, [first, migration(2, `-- removes rows of: children\n${losing}`)]);
  expect(file.count("children")).toBe(1);
});

test("a migration that leaves a reference to a missing row is refused and undone", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  const breaking = migration(2, "UPDATE children SET parent_id = 99 WHERE id = 1;");
  expect(() => migrate(file.sqlite, [first, breaking])).toThrow("0002_test.sql leaves broken references in children");
  expect(file.sqlite.prepare("SELECT parent_id FROM children WHERE id = 1").pluck().get()).toBe(1);
  expect(file.sqlite.pragma("foreign_keys", { simple: true })).toBe(1);
});

test("a database of a newer version is refused with a whole sentence, and is not changed", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first, rebuild]);
  expect(() => migrate(file.sqlite, [first])).toThrow(
    "the database was written by a newer version of Belfry (it has schema 2, and this version supports at most schema 1): install the newer version or restore a backup",
  );
  expect(migrate(file.sqlite, [first, rebuild])).toEqual({ from: 2, to: 2 });
});

test("a complete copy of the former state is kept for its owner only; a first start needs none", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  expect(existsSync(`${file.path}.before-1`)).toBe(false);
  await writeFile(`${file.path}.before-2`, "what a former try left", { mode: 0o644 });
  migrate(file.sqlite, [first, rebuild]);
  expect(statSync(`${file.path}.before-2`).mode & 0o777).toBe(0o600);
  const copy = openDatabase(`${file.path}.before-2`);
  expect(copy.sqlite.prepare("SELECT count(*) FROM children").pluck().get()).toBe(3);
  expect(copy.sqlite.pragma("user_version", { simple: true })).toBe(1);
  expect(copy.sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
  copy.close();
});

test("of an upgrade that fails after its first migration, nothing stays but the copy of the former state", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  const broken = migration(3, "INSERT INTO nowhere VALUES (1);");
  for (let start = 0; start < 2; start += 1) {
    expect(() => migrate(file.sqlite, [first, rebuild, broken])).toThrow(/no such table: nowhere/);
    expect(file.sqlite.pragma("user_version", { simple: true })).toBe(1);
    expect((await readdir(file.dir)).filter((name) => name.includes(".before-"))).toEqual([
      expect.stringMatching(/\.before-2$/),
    ]);
    const copy = openDatabase(`${file.path}.before-2`);
    expect(copy.sqlite.pragma("user_version", { simple: true })).toBe(1);
    copy.close();
  }
  expect(migrate(file.sqlite, [first, rebuild])).toEqual({ from: 1, to: 2 });
});

test("only the newest copy of a former state is kept, and files of other names are not touched", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  for (const name of ["before-1", "before-1.mine", "before-x"]) await writeFile(`${file.path}.${name}`, "");
  migrate(file.sqlite, [first, rebuild]);
  const copies = (await readdir(file.dir)).filter((name) => name.includes(".before-"));
  expect(copies.map((name) => name.slice(name.indexOf("before-"))).sort()).toEqual([
    "before-1.mine",
    "before-2",
    "before-x",
  ]);
});

test("a program killed in the middle of a migration loses nothing: the next start repeats the migration", async () => {
  await using file = await openFile();
  migrate(file.sqlite, [first]);
  file.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n;";
  const script = join(file.dir, "migrating.ts");
  const here = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  await writeFile(
    script,
    `import { openDatabase } from ${here("./database.ts")};
     import { migrate } from ${here("./migrate.ts")};
     migrate(openDatabase(${JSON.stringify(file.path)}).sqlite, ${JSON.stringify([first, migration(2, rebuild.sql + endless)])});`,
  );
  const child = spawn(process.execPath, ["--conditions=@belfry/source", script], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => (said += String(text)));
  await until("the child to hold the database", () => {
    if (child.exitCode !== null) throw new Error(`the child ended: ${said}`);
    file.sqlite.pragma("busy_timeout = 0");
    try {
      file.sqlite.exec("BEGIN IMMEDIATE; ROLLBACK");
      return false;
    } catch {
      return true;
    }
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  file.sqlite.pragma("busy_timeout = 5000");
  expect(migrate(file.sqlite, [first, rebuild])).toEqual({ from: 1, to: 2 });
  expect([file.count("parents"), file.count("children")]).toEqual([2, 3]);
  expect(file.sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
});

test("migrations are in order, without a gap", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "0001_begin.sql"), "SELECT 1;");
  await writeFile(join(dir.path, "notes.txt"), "no migration");
  expect(readMigrations(dir.path).map(({ name }) => name)).toEqual(["0001_begin.sql"]);
  await writeFile(join(dir.path, "0003_gap.sql"), "SELECT 1;");
  expect(() => readMigrations(dir.path)).toThrow(
    "migration 0003_gap.sql is at position 2: migrations must be numbered without gaps",
  );
});

test("the shipped migrations create a sound database from nothing, and run once", async () => {
  await using file = await openFile();
  const shipped = readMigrations();
  expect(migrate(file.sqlite, shipped)).toEqual({ from: 0, to: shipped.length });
  expect(migrate(file.sqlite, shipped)).toEqual({ from: shipped.length, to: shipped.length });
  expect(file.sqlite.pragma("foreign_key_check")).toEqual([]);
  expect(file.sqlite.pragma("application_id", { simple: true })).toBe(0x42454c46);
  const loose = file.sqlite
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  expect(loose).toEqual([]);
});
