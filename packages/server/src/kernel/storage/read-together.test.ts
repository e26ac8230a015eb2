import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applicationId, openDatabase } from "./database.ts";
import { createReadTogether } from "./read-together.ts";

async function openReads() {
  const dir = await tempDir();
  const path = join(dir.path, "test.db");
  const { sqlite, close } = openDatabase(path);
  sqlite.pragma(`application_id = ${applicationId}`);
  sqlite.exec("CREATE TABLE rows (row INTEGER PRIMARY KEY)");
  const other = openDatabase(path);
  const count = sqlite.prepare<[], number>("SELECT count(*) FROM rows").pluck();
  return {
    sqlite,
    readTogether: createReadTogether(sqlite),
    count: () => count.get(),
    addElsewhere: () => other.sqlite.exec("INSERT INTO rows DEFAULT VALUES"),
    [Symbol.asyncDispose]: async () => {
      other.close();
      close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("the reads of one call see one state of the database, and the next call sees what was written meanwhile", async () => {
  await using reads = await openReads();
  const { readTogether, count, addElsewhere } = reads;
  const seen = readTogether(() => {
    const before = count();
    addElsewhere();
    return [before, readTogether(count), count()];
  });
  expect(seen).toEqual([0, 0, 0]);
  expect(readTogether(count)).toBe(1);
});

test("a call that fails leaves no transaction open", async () => {
  await using reads = await openReads();
  const fail = () => {
    reads.count();
    throw new Error("damaged");
  };
  expect(() => reads.readTogether(fail)).toThrow("damaged");
  expect(reads.sqlite.inTransaction).toBe(false);
  expect(reads.sqlite.exec("INSERT INTO rows DEFAULT VALUES").inTransaction).toBe(false);
});
