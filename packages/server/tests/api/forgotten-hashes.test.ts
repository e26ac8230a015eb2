import { expect, test } from "vitest";
import { query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { expectRefusal } from "../support/call.ts";
import { readMigrations } from "../../src/kernel/storage/migrate.ts";

test("an upgrade forgets the hashes without a key, and a call repeated across it still creates nothing twice", async () => {
  await using app = await openTestApplication();
  const create = (key: string) => app.call("POST", "/v1/groups", { name: key }, { "Idempotency-Key": key });
  const { json: group } = await create("before");
  app.sqlite.exec(readMigrations().find(({ name }) => name.endsWith("_keyed_hashes.sql"))!.sql);
  expect(query(app, "SELECT body_hash FROM idempotency_keys")).toEqual([{ body_hash: "" }]);
  const refused = await create("before");
  expectRefusal(refused, "conflict", null);
  expect(refused.json.error.message).toContain(`used to create ${group.id}, before an upgrade of the daemon`);
  expect((await app.call("GET", "/v1/idempotency/before")).json).toMatchObject({ used: true, resource_id: group.id });
  expect((await create("after")).status).toBe(201);
  expect((await create("after")).headers["idempotent-replay"]).toBe("true");
});
