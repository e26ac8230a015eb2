import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createChannelSecrets } from "../../src/features/notifications/channel-secrets.ts";
import { createChannelStore, createFormerSecretStore } from "../../src/features/notifications/store.ts";
import { openDatabase } from "../../src/kernel/database.ts";
import { migrate, readMigrations } from "../../src/kernel/migrate.ts";
import { createSealing } from "../../src/kernel/secrets.ts";

/** A database as it was before the migration of this name, with the rows given, brought up to date. */
async function openMigrated(name: string, fill: (sqlite: ReturnType<typeof openDatabase>["sqlite"]) => void) {
  const dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  const all = readMigrations();
  migrate(
    sqlite,
    all.slice(
      0,
      all.findIndex((migration) => migration.name.endsWith(`_${name}.sql`)),
    ),
  );
  fill(sqlite);
  migrate(sqlite, all);
  return {
    db,
    sqlite,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("a former signing secret goes on signing after the upgrade, until its own time is over", async () => {
  const sealing = createSealing(Buffer.alloc(32, 7));
  const seal = (member: string, text: string) => sealing.seal(text, `notification_channel:nch_1:${member}`);
  await using file = await openMigrated("former_secrets", (sqlite) => {
    const insert = sqlite.prepare(
      `INSERT INTO notification_channels VALUES (@id, @id, @id, 'webhook', 'https://a.example', @endpoint, NULL, @secret, @former, @until, 1, 0, 0, 1)`,
    );
    insert.run({
      id: "nch_1",
      endpoint: seal("endpoint", "https://a.example/"),
      secret: seal("signing_secret", "whsec_present"),
      former: seal("signing_secret", "whsec_former"),
      until: 1_000,
    });
    const none = { id: "nch_2", endpoint: Buffer.from("x"), secret: null, former: null, until: null };
    insert.run(none);
  });
  const channel = createChannelStore(file.db).find("nch_1")!;
  const secrets = createChannelSecrets(sealing, createFormerSecretStore(file.db));
  const signersAt = (now: number) =>
    secrets
      .openSnapshot("dlv_1", secrets.snapshot(channel, "dlv_1", now))
      .signingSecrets.map(({ secret, until }) => [secret, until]);
  expect(signersAt(999)).toEqual([
    ["whsec_present", null],
    ["whsec_former", 1_000],
  ]);
  expect(signersAt(1_000)).toEqual([["whsec_present", null]]);
  expect(file.sqlite.prepare("SELECT count(*) FROM notification_former_secrets").pluck().get()).toBe(1);
});
