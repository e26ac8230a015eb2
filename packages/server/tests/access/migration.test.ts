import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";

test("the actor of a former version keeps its id, its name and its capability, and is the built-in one", async () => {
  await using dir = await tempDir();
  const { sqlite, close } = openDatabase(join(dir.path, "test.db"));
  const all = readMigrations();
  migrate(sqlite, all.slice(0, 15));
  const id = "act_4fzH1TqWb8YkV0c2LxNd";
  sqlite.prepare("INSERT INTO actors VALUES (?, 'local', 'enroll', 1, 7)").run(id);
  migrate(sqlite, all);
  expect(sqlite.prepare("SELECT * FROM actors").all()).toEqual([
    {
      id,
      name: "local",
      name_key: "local",
      kind: "local",
      capability: "enroll",
      state: "active",
      built_in: 1,
      expires_at: null,
      last_seen_at: null,
      created_at: 7,
      updated_at: 7,
      revision: 1,
    },
  ]);
  close();
});
