import { catalogue } from "@belfry/contract";
import { asConcernTable, asReplayTable, asTable } from "./catalogue.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import { createDoor } from "./door.ts";
import { createAccessStore, ensureLocalActor } from "./features/access/index.ts";
import { createAudit, createAuditStore } from "./features/audit/index.ts";
import { createHub } from "./features/events/index.ts";
import { createIdempotency, createIdempotencyStore } from "./features/idempotency/index.ts";
import { createManifest, createManifestStore } from "./features/manifest/index.ts";
import { buildConcerns, buildHandlers, buildReplays } from "./handlers.ts";
import { buildRooms } from "./rooms.ts";
import { systemClock } from "./kernel/time/clock.ts";
import { createDaemonFile } from "./kernel/files/daemon-file.ts";
import { openDatabase, requireDurable } from "./kernel/storage/database.ts";
import { watchDatabase } from "./kernel/storage/database-place.ts";
import { type BrokenPlace, createDiskWatch, type DiskWatch } from "./kernel/files/disk-watch.ts";
import { describeError, StorageGoneError } from "./kernel/errors/errors.ts";
import { newId } from "./kernel/ids.ts";
import { takeLock } from "./kernel/files/lock-file.ts";
import { requireContent, requireDatabaseFile } from "./kernel/storage/lost-database.ts";
import { migrate, readMigrations } from "./kernel/storage/migrate.ts";
import { preparePaths } from "./kernel/files/paths.ts";
import { isKeyKnown, requireSameKey } from "./kernel/secrets/sealing-key-check.ts";
import { createSealing, loadSealingKey } from "./kernel/secrets/secrets.ts";
import { asStartError } from "./kernel/errors/start-error.ts";
import { listenLocally } from "./transports/local/listen.ts";
import { createBodyParser } from "./transports/shared/body-parser.ts";
import { mount } from "./transports/shared/mount.ts";
import type { AnyFact, WriteSoon } from "./kernel/storage/write.ts";
import { listWatchedPlaces } from "./watched-places.ts";

export interface Daemon {
  readonly socketPath: string;
  readonly installationId: string;
  readonly isEmpty: () => boolean;
  /** Resolves when another daemon has taken the data directory: this one must stop. */
  readonly superseded: Promise<{ readonly error: unknown }>;
  /** Running tasks go on, and the next daemon hears of them. Called twice it does nothing more. */
  readonly stop: () => Promise<void>;
}

/**
 * Builds everything once and starts it in a written order: lock, database, rooms, engine, socket, ticker, deliverer. A client that
 * reaches the socket finds a daemon that can run; what fails on the way up is undone on the way down.
 */
export async function createDaemon(parts: DaemonParts): Promise<Daemon> {
  const { config, clock, log } = parts;
  const { paths } = config;
  const undo: (() => void | Promise<void>)[] = [];
  let hasStarted = false;
  /** Each step whatever becomes of the one before it: a step that fails must not leave a socket or a timer behind. */
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        log.error("daemon.stop_failed", { error: describeError(error) });
      }
    }
  };
  try {
    preparePaths(paths);
    const lock = takeLock(paths.lock);
    undo.push(lock.release);

    requireDatabaseFile(paths);
    const database = openDatabase(paths.database);
    undo.push(database.close);
    requireContent(paths, database);
    const { from, to } = migrate(database.sqlite, readMigrations());
    if (from !== to) log.info("database.migrated", { from, to });
    const sealingKey = loadSealingKey(paths.sealingKey, { mayCreate: !isKeyKnown(database) });
    const sealing = createSealing(sealingKey);
    requireSameKey(database, sealing);
    requireDurable(database.sqlite);
    const databasePlace = watchDatabase(database);

    const audit = createAudit(createAuditStore(database.db));
    const idempotency = createIdempotency(createIdempotencyStore(database.db));
    const manifest = createManifest(createManifestStore(database.db), parts.version);
    const hub = createHub({
      clock,
      paceClock: systemClock,
      epoch: newId("req").slice(4),
      capabilities: () => manifest.view().capabilities,
    });
    undo.push(hub.close);
    const superseded = Promise.withResolvers<{ readonly error: unknown }>();
    let isSuperseded = false;
    const requireStorage = (): void => {
      if (isSuperseded) throw new StorageGoneError();
      databasePlace.requirePresent();
    };
    const rooms = buildRooms({ ...parts, database, sealing, hub, manifest, requireStorage });
    // only the database waits for attempts in flight: what stops before them stops at once
    undo.push(rooms.logTruncation.stop, rooms.deliverer.stop);
    manifest.ensure(rooms.write);
    const actor = ensureLocalActor(rooms.write, createAccessStore(database.db));

    // no call comes before it is there
    let watch: DiskWatch | null = null;
    const listBroken = (): readonly BrokenPlace[] => watch?.listBroken() ?? [];
    const handlers = asTable(buildHandlers({ ...rooms, config, hub, manifest, audit, idempotency, listBroken }));
    const door = createDoor({
      // the rooms' own facts are proved by their handlers' types
      writeSoon: rooms.writeSoon as unknown as WriteSoon<AnyFact>,
      handlers,
      replays: asReplayTable(buildReplays(rooms)),
      concerns: asConcernTable(buildConcerns(rooms)),
      audit,
      idempotency,
      revisionOf: rooms.revisionOf,
      log,
    });
    const bodies = createBodyParser();
    const app = mount({
      operations: catalogue,
      base: "/v1",
      door,
      clock,
      version: parts.version,
      actorOf: () => actor,
      bodies,
    });

    undo.push(() => rooms.engine.stop({ hasStarted }));
    await rooms.engine.start();
    const listener = await listenLocally({
      path: paths.socket,
      version: parts.version,
      fetch: app.fetch,
      overrideGlobalObjects: parts.overrideGlobalObjects ?? false,
      onUnexpected: (error, requestId) =>
        log.error("request.failed", {
          request_id: requestId,
          status: 500,
          code: "internal",
          error: describeError(error),
        }),
    });
    undo.push(listener.close, bodies.close);
    const daemonFile = createDaemonFile(paths.daemonFile, paths.socket);
    undo.push(daemonFile.remove);
    daemonFile.write();
    undo.push(rooms.ticker.stop);
    rooms.ticker.start();
    undo.push(rooms.deliverer.halt);
    rooms.deliverer.start();
    // what the daemon before this one erased, and had no time to
    rooms.logTruncation.request();
    undo.push(rooms.housekeeping.stop);
    rooms.housekeeping.start();
    watch = createDiskWatch({
      // files come and go in real time, whatever the calendar says
      clock: systemClock,
      log,
      dataDir: paths.dataDir,
      places: listWatchedPlaces({
        paths,
        lock,
        database: databasePlace,
        sealingKey,
        engine: rooms.engine,
        listener,
        daemonFile,
        onSuperseded: (error) => {
          isSuperseded = true;
          watch?.stop();
          superseded.resolve({ error });
        },
      }),
    });
    undo.push(watch.stop);
    watch.start();
    log.info("daemon.started", {
      version: parts.version,
      pid: process.pid,
      data_dir: paths.dataDir,
      socket: paths.socket,
      audit_head: audit.head()?.hash,
    });
    hasStarted = true;
    return {
      socketPath: paths.socket,
      installationId: manifest.view().installation_id,
      isEmpty: rooms.isEmpty,
      superseded: superseded.promise,
      stop,
    };
  } catch (error) {
    await stop();
    throw asStartError(error, paths);
  }
}
