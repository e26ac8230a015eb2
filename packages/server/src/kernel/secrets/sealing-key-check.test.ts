import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../storage/database.ts";
import { isKeyKnown, requireSameKey } from "./sealing-key-check.ts";
import { migrate, readMigrations } from "../storage/migrate.ts";
import { createSealing } from "./secrets.ts";

test("a database remembers its first sealing key, and refuses any other", async () => {
  await using dir = await tempDir();
  const database = openDatabase(join(dir.path, "test.db"));
  migrate(database.sqlite, readMigrations());
  const [own, other] = [createSealing(Buffer.alloc(32, 1)), createSealing(Buffer.alloc(32, 2))];
  expect(isKeyKnown(database)).toBe(false);
  requireSameKey(database, own);
  expect(isKeyKnown(database)).toBe(true);
  requireSameKey(database, own);
  expect(() => requireSameKey(database, other)).toThrow(
    "sealing.key does not belong to this database: restore both from the same backup",
  );
  database.close();
});
