import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createChannelSecrets } from "../../src/features/channels/channel-secrets.ts";
import { createChannelStore, createFormerSecretStore } from "../../src/features/channels/store.ts";
import { createDeliveryStore } from "../../src/features/deliveries/store.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";
import { createSealing } from "../../src/kernel/secrets/secrets.ts";

type Sqlite = ReturnType<typeof openDatabase>["sqlite"];

/** Creates a database before the migration of this name, fills it, and migrates it. */
async function openMigrated(name: string, fill: (sqlite: Sqlite) => void) {
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

/** Channels of this schema's first version, without sealed values. */
function insertChannels(sqlite: Sqlite, ...ids: readonly string[]): void {
  const insert = sqlite.prepare(
    `INSERT INTO notification_channels (id, name, name_key, kind, endpoint_summary, endpoint_sealed, enabled, created_at, updated_at, revision)
     VALUES (@id, @id, @id, 'webhook', 'https://a.example', x'00', 1, 0, 0, 1)`,
  );
  for (const id of ids) insert.run({ id });
}

interface DeliveryLeft {
  readonly id: string;
  readonly channel: string;
  readonly state: "failed" | "succeeded" | "pending";
  readonly run?: string;
}

/** Deliveries as a former version left them: each ended a second after the one before it. */
function insertDeliveries(sqlite: Sqlite, deliveries: readonly DeliveryLeft[]): void {
  const insert = sqlite.prepare(
    `INSERT INTO notification_deliveries (id, channel_id, channel_name, endpoint_summary, event, run_id, state, attempt_count, payload, target_sealed, created_at, updated_at, ended_at, ended_number)
     VALUES (@id, @channel, @channel, 'https://a.example', 'run.completed', @run, @state, 3, '{}', @target, 0, 0, @at, @number)`,
  );
  deliveries.forEach(({ run = null, ...each }, index) => {
    const hasEnded = each.state !== "pending";
    insert.run({
      ...each,
      run,
      target: hasEnded ? null : Buffer.from("x"),
      at: hasEnded ? (index + 1) * 1_000 : null,
      number: hasEnded ? index + 1 : null,
    });
  });
}

test("a former signing secret keeps signing after the upgrade, until it expires", async () => {
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
    secrets.targetOf(channel, now).signingSecrets.map(({ secret, until }) => [secret, until]);
  expect(signersAt(999)).toEqual([
    ["whsec_present", null],
    ["whsec_former", 1_000],
  ]);
  expect(signersAt(1_000)).toEqual([["whsec_present", null]]);
  expect(file.sqlite.prepare("SELECT count(*) FROM notification_former_secrets").pluck().get()).toBe(1);
});

test("after the upgrade a channel shows the consecutive failures of its deliveries", async () => {
  await using file = await openMigrated("failing_channels", (sqlite) => {
    insertChannels(sqlite, "failing", "recovered", "unused", "always failing");
    insertDeliveries(sqlite, [
      { id: "1", channel: "failing", state: "failed" },
      { id: "2", channel: "always failing", state: "failed" },
      { id: "3", channel: "failing", state: "succeeded" },
      { id: "4", channel: "recovered", state: "failed" },
      { id: "5", channel: "failing", state: "failed" },
      { id: "6", channel: "failing", state: "failed" },
      { id: "7", channel: "recovered", state: "succeeded" },
      { id: "8", channel: "failing", state: "pending" },
    ]);
  });
  const store = createChannelStore(file.db);
  const healthOf = (id: string) => {
    const { failingSince, consecutiveFailures } = store.find(id)!;
    return [failingSince, consecutiveFailures];
  };
  expect(["failing", "recovered", "unused", "always failing"].map(healthOf)).toEqual([
    [5_000, 2],
    [null, 0],
    [null, 0],
    [2_000, 1],
  ]);
});

test("after the upgrade each later delivery of the same run and channel is the redelivery of the one before it", async () => {
  await using file = await openMigrated("redeliveries", (sqlite) => {
    insertChannels(sqlite, "a", "b");
    insertDeliveries(sqlite, [
      { id: "9 first", channel: "a", run: "run_1", state: "failed" },
      { id: "8 other channel", channel: "b", run: "run_1", state: "failed" },
      { id: "7 second", channel: "a", run: "run_1", state: "failed" },
      { id: "6 other run", channel: "a", run: "run_2", state: "failed" },
      { id: "5 third", channel: "a", run: "run_1", state: "pending" },
      { id: "4 test", channel: "a", state: "failed" },
      { id: "3 another test", channel: "a", state: "failed" },
    ]);
  });
  const found = file.sqlite
    .prepare("SELECT id, redelivery_of FROM notification_deliveries WHERE redelivery_of IS NOT NULL ORDER BY rowid")
    .raw()
    .all();
  expect(found).toEqual([
    ["7 second", "9 first"],
    ["5 third", "7 second"],
  ]);
  const store = createDeliveryStore(file.db);
  const open = store.listFailedSince({ since: 0 }).filter(({ id }) => !store.isRedelivered(id));
  expect(open.map(({ id }) => id)).toEqual(["8 other channel", "6 other run", "4 test", "3 another test"]);
});
