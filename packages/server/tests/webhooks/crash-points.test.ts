import { ManualClock, seed, tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createChannelSecrets } from "../../src/features/channels/channel-secrets.ts";
import { createChannels } from "../../src/features/channels/service.ts";
import { createDeliverer } from "../../src/features/deliveries/sending/deliverer.ts";
import { type AttemptResult, createDeliveries, interrupted } from "../../src/features/deliveries/service.ts";
import type { ChannelFact } from "../../src/features/channels/facts.ts";
import type { DeliveryFact } from "../../src/features/deliveries/facts.ts";
import type { Message } from "../../src/features/deliveries/sending/send-webhook.ts";
import { createChannelStore, createFormerSecretStore } from "../../src/features/channels/store.ts";
import { createDeliveryStore } from "../../src/features/deliveries/store.ts";
import type { Clock } from "../../src/kernel/time/clock.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { silentLog } from "../../src/kernel/log/log.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";
import { createSealing } from "../../src/kernel/secrets/secrets.ts";
import { createWriter, type Unit, type Write } from "../../src/kernel/storage/write.ts";
import { seeded } from "../support/seeded.ts";

const crashes = 1_200;
const deliveriesALife = 3;
const sealing = createSealing(Buffer.alloc(32, 7));

class Crash extends Error {}

/** The requests that receivers got: they outlive every daemon. */
interface ManualWorld {
  readonly clock: ManualClock;
  readonly sends: Map<string, string[]>;
  readonly accepted: Set<string>;
}

/**
 * One life of the real deliverer on a real database, which ends just before or just after one of its commits. After that it
 * neither writes nor sends anything.
 */
function live(path: string, world: ManualWorld, random: () => number) {
  // the timers of a dead process do not fire
  const clock: Clock = {
    ...world.clock,
    after: (ms, work) => world.clock.after(ms, () => (isDead ? undefined : work())),
  };
  const database = openDatabase(path);
  // the process dies here, not the machine: committed data need not be on disk
  database.sqlite.pragma("synchronous = OFF");
  migrate(database.sqlite, readMigrations());
  const store = createDeliveryStore(database.db);
  const channelStore = createChannelStore(database.db);
  const secrets = createChannelSecrets(sealing, createFormerSecretStore(database.db));
  const deliveries = createDeliveries({ store, channels: channelStore, secrets, version: "test" });
  const channels = createChannels({
    store: channelStore,
    secrets,
    rules: { denyPrivate: false },
  });
  const { write: commit } = createWriter<ChannelFact | DeliveryFact>({
    sqlite: database.sqlite,
    clock,
    reactions: {
      inTransaction: { "delivery.ended": [channels.onDeliveryEnded, (unit) => deliveries.prune(unit)] },
      afterCommit: { "delivery.queued": [(fact) => deliverer.look(fact.channelId)] },
    },
    onListenerError: (error) => {
      throw error;
    },
  });

  let isDead = false;
  let commitsLeft = Infinity;
  let isAfter = false;
  const write = ((work: (unit: Unit<ChannelFact | DeliveryFact>) => unknown): unknown => {
    if (isDead) throw new Crash();
    const isLast = --commitsLeft <= 0;
    if (isLast && !isAfter) isDead = true;
    if (isDead) throw new Crash();
    const result = commit(work as never);
    if (!isLast) return result;
    isDead = true;
    throw new Crash();
  }) as Write<ChannelFact | DeliveryFact>;

  const send = ({ id, body }: Message, onResult: (result: AttemptResult) => void): (() => void) => {
    if (isDead) return () => {};
    world.sends.set(id, [...(world.sends.get(id) ?? []), body]);
    const chance = random();
    // some answers never arrive during this life
    if (chance < 0.25) return () => {};
    const isGood = chance < 0.5;
    if (isGood) world.accepted.add(id);
    const result: AttemptResult = isGood
      ? { kind: "delivered", status: 204, diagnostic: null }
      : { kind: "refused", status: 500, diagnostic: "the receiver responded with status 500" };
    void Promise.resolve().then(() => onResult(result));
    return () => {};
  };
  const deliverer = createDeliverer({
    clock,
    processClock: clock,
    log: silentLog,
    write,
    store,
    deliveries,
    secrets,
    sender: { send, close: () => {} },
    isHeld: () => false,
  });
  return {
    write: commit,
    deliveries,
    channels,
    deliverer,
    isDead: () => isDead,
    crashAfter: (commits: number, after: boolean): void => {
      commitsLeft = commits;
      isAfter = after;
    },
    end: (): void => {
      isDead = true;
      database.close();
    },
  };
}

test(`over ${crashes} crashes at commits of every kind, no delivery is lost or has a fourth request (seed ${seed})`, async () => {
  const random = seeded(seed);
  await using dir = await tempDir("bd-");
  const path = join(dir.path, "belfry.db");
  const clock = new ManualClock();
  const world: ManualWorld = { clock, sends: new Map(), accepted: new Set() };
  const queued: string[] = [];
  let deaths = 0;
  const channelIds: string[] = [];
  for (let crash = 0; crash < crashes; crash++) {
    const life = live(path, world, random);
    if (channelIds.length === 0) {
      for (const name of ["a", "b", "c"])
        channelIds.push(
          life.write((unit) => life.channels.create(unit, { name, endpoint: "http://127.0.0.1:9/", enabled: true })).id,
        );
    }
    if (crash < crashes - 40) {
      for (let count = 0; count < deliveriesALife; count++) {
        const channel = life.channels.get(channelIds[Math.floor(random() * 3)]!);
        queued.push(life.write((unit) => life.deliveries.test(unit, channel)).id);
      }
    }
    life.crashAfter(1 + Math.floor(random() * 8), random() < 0.5);
    life.deliverer.start();
    for (let step = 0; step < 8 && !life.isDead(); step++) await clock.advance(random() < 0.3 ? 1_000 : 100);
    if (life.isDead()) deaths++;
    life.end();
    await clock.advance(100);
  }
  const last = live(path, world, () => 0.4);
  last.deliverer.start();
  const count = (states: string): number => countRows(path, states);
  for (let step = 0; step < 600 && count("'pending', 'claimed'") > 0; step++) await clock.advance(1_000);
  expect(count("'pending', 'claimed'")).toBe(0);
  last.end();
  const sqlite = new BetterSqlite(path, { readonly: true });
  const rows = sqlite.prepare("SELECT * FROM notification_deliveries").all() as Row[];
  sqlite.close();
  const byId = new Map(rows.map((row) => [row.id, row]));
  let interruptions = 0;
  for (const id of queued) {
    const sends = world.sends.get(id) ?? [];
    expect(sends.length, id).toBeLessThanOrEqual(3);
    // all duplicates are identical, byte for byte
    expect(new Set(sends).size).toBeLessThanOrEqual(1);
    const row = byId.get(id);
    // the newest thousand are kept; any missing one had ended, since only ended ones are pruned
    if (row === undefined) continue;
    expect(row.attempt_count, id).toBeGreaterThanOrEqual(sends.length);
    if (row.state === "succeeded") expect(world.accepted.has(id), id).toBe(true);
    if (row.state === "failed") expect(row.attempt_count, id).toBe(3);
    if (row.diagnostic === interrupted) interruptions++;
    if (row.ended_at !== null) expect(row.target_sealed, id).toBeNull();
  }
  expect(rows).toHaveLength(1_000);
  expect(interruptions).toBeGreaterThan(5);
  expect(deaths).toBeGreaterThanOrEqual(1_000);
  const threeTimes = [...world.sends.values()].filter((sends) => sends.length === 3).length;
  expect(threeTimes).toBeGreaterThan(50);
  console.log(
    `crash-points: ${deaths} crashes at a commit, ${queued.length} deliveries, ${[...world.sends.values()].flat().length} requests, ${threeTimes} sent three times, ${interruptions} interrupted`,
  );
});

function countRows(path: string, states: string): number {
  const sqlite = new BetterSqlite(path, { readonly: true });
  try {
    const rows = sqlite.prepare(`SELECT count(*) FROM notification_deliveries WHERE state IN (${states})`);
    return rows.pluck().get() as number;
  } finally {
    sqlite.close();
  }
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly attempt_count: number;
  readonly diagnostic: string | null;
  readonly ended_at: number | null;
  readonly target_sealed: Buffer | null;
}
