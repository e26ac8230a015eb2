import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppError, describeError, isStorageFailure, sqliteCode } from "./errors.ts";

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("a full disk and a locked database are storage failures at any depth of causes; a violated constraint is not", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "test.db");
  const sqlite = new BetterSqlite(path, { timeout: 0 });
  sqlite.exec("CREATE TABLE some (id INTEGER PRIMARY KEY, text TEXT)");
  sqlite.pragma(`max_page_count = ${sqlite.pragma("page_count", { simple: true }) as number}`);
  const full = caught(() => sqlite.prepare("INSERT INTO some VALUES (1, ?)").run("x".repeat(100_000)));
  expect([sqliteCode(full), isStorageFailure(full)]).toEqual(["SQLITE_FULL", true]);
  expect(isStorageFailure(new AppError("internal", "wrapped", { cause: new Error("twice", { cause: full }) }))).toBe(
    true,
  );
  const other = new BetterSqlite(path);
  other.exec("BEGIN EXCLUSIVE");
  expect(isStorageFailure(caught(() => sqlite.exec("BEGIN IMMEDIATE")))).toBe(true);
  other.close();
  sqlite.exec("INSERT INTO some VALUES (1, '')");
  const broken = caught(() => sqlite.exec("INSERT INTO some VALUES (1, '')"));
  expect([sqliteCode(broken), isStorageFailure(broken)]).toEqual(["SQLITE_CONSTRAINT_PRIMARYKEY", false]);
  expect([sqliteCode(new Error("other")), isStorageFailure("text")]).toEqual([null, false]);
  sqlite.close();
});

test("an error is described with its stack, its code and its causes", () => {
  const text = describeError(
    new AppError("internal", "outer", { cause: Object.assign(new Error("inner"), { code: "SQLITE_IOERR_WRITE" }) }),
  );
  expect(text).toMatch(/AppError: outer\n {4}at /);
  expect(text).toMatch(/; cause: Error: inner\n/);
  expect(text).toContain("[SQLITE_IOERR_WRITE]");
  expect(describeError("just text")).toBe("just text");
});

test("only the cause of a query builder's error is described: the error's own message contains the parameters", () => {
  const error = new DrizzleQueryError("INSERT INTO some VALUES (?)", ["a secret"], new Error("disk I/O error"));
  const text = describeError(new Error("while saving", { cause: error }));
  expect(text).not.toContain("a secret");
  expect(text).toContain("disk I/O error");
});

test("an error whose message quotes its input is described by its name and where it was thrown", () => {
  const unparsed = describeError(
    new Error("while reading", { cause: caught(() => JSON.parse("a secret\n    at line")) }),
  );
  expect(unparsed).toMatch(/^Error: while reading\n[^]*; cause: SyntaxError\n {4}at JSON\.parse/);
  expect(unparsed).not.toContain("a secret");
  const unchecked = describeError(caught(() => Buffer.from("").readUInt8("a secret" as never)));
  expect(unchecked).toMatch(/^TypeError \[ERR_INVALID_ARG_TYPE\]\n {4}at /);
  expect(unchecked).not.toContain("a secret");
});
