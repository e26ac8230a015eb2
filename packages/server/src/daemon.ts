import { rmSync } from "node:fs";
import type { DaemonParts } from "./daemon-parts.ts";
import { openApplication } from "./application.ts";
import { systemClock } from "./kernel/time/clock.ts";
import type { Rounds } from "./kernel/time/loop.ts";
import { createDaemonFile, readLeftDaemon } from "./kernel/files/daemon-file.ts";
import { openDatabase, requireDurable } from "./kernel/storage/database.ts";
import { watchDatabase } from "./kernel/storage/database-place.ts";
import { createDiskWatch } from "./kernel/files/disk-watch.ts";
import { describeError, StorageGoneError } from "./kernel/errors/errors.ts";
import { takeLock } from "./kernel/files/lock-file.ts";
import { requireContent, requireDatabaseFile } from "./kernel/storage/lost-database.ts";
import { takeDataDir } from "./kernel/files/data-dir.ts";
import { preparePaths } from "./kernel/files/paths.ts";
import { asStartError } from "./kernel/errors/start-error.ts";
import { holdArrived } from "./hold-arrived.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { openFireTransport } from "./fire-transport.ts";
import { openRemoteTransport } from "./remote-transport.ts";
import { listenLocally } from "./transports/local/listen.ts";
import { listWatchedPlaces } from "./watched-places.ts";

export interface Daemon {
  readonly socketPath: string;
  readonly installationId: string;
  readonly isEmpty: () => boolean;
  /** The rounds of the loops, for tests to wait for. */
  readonly rounds: Readonly<Record<"engine" | "ticker" | "deliverer" | "remote" | "housekeeping", Rounds>>;
  /** Resolves when another daemon has taken the data directory. This daemon must then stop. */
  readonly superseded: Promise<{ readonly error: unknown }>;
  /**
   * Stops the daemon. Running tasks continue, and the next daemon collects their results. A second call does nothing.
   */
  readonly stop: () => Promise<void>;
}

/**
 * Starts everything in order: lock, database, modules, engine, socket, loops. A client that reaches the socket finds a daemon
 * that can run tasks. A failed start undoes the steps it has taken.
 */
export async function createDaemon(parts: DaemonParts): Promise<Daemon> {
  const { config, log } = parts;
  const { paths } = config;
  const undo: (() => void | Promise<void>)[] = [];
  let hasStarted = false;
  /** Takes every step even if an earlier one failed, so that no socket and no timer is left behind. */
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
    const narrowedFrom = takeDataDir(paths, config.configuredFiles);
    const lock = takeLock(paths.lock);
    undo.push(lock.release);
    // under the lock: a restore may need the directory to stay empty
    preparePaths(paths);
    if (narrowedFrom !== null)
      log.info("data_dir.narrowed", { data_dir: paths.dataDir, mode: "0700", former_mode: narrowedFrom });
    const leftBy = readLeftDaemon(paths.daemonFile);
    if (leftBy !== null) log.warn("daemon.former_killed", { pid: leftBy });

    rmSync(paths.backup, { recursive: true, force: true });
    requireDatabaseFile(paths);
    const database = openDatabase(paths.database);
    undo.push(database.close);
    requireContent(paths, database);
    const { from, to, sealingKey, sealing } = prepareDatabase({ database, paths, clock: parts.clock });
    if (from !== to) log.info("database.migrated", { from, to });
    requireDurable(database.sqlite);
    const databasePlace = watchDatabase(database);

    const superseded = Promise.withResolvers<{ readonly error: unknown }>();
    let isSuperseded = false;
    // the system's clock, because files change in real time even if a test uses a manual clock
    const diskWatch = createDiskWatch({ clock: systemClock, log, dataDir: paths.dataDir });
    const application = openApplication({
      ...parts,
      database,
      sealing,
      listBroken: diskWatch.listBroken,
      requireStorage: () => {
        if (isSuperseded) throw new StorageGoneError();
        databasePlace.requirePresent();
      },
    });
    const { modules, walTruncation, housekeeping, bodies } = application;
    const engine = modules.engine.service;
    undo.push(modules.events.hub.close);
    // the database stays open until the webhook attempts in flight have ended
    undo.push(walTruncation.stop, modules.deliveries.deliverer.stop);
    const app = application.mountFor(modules.access.localActor);

    const onUnexpected = (error: unknown, requestId: string): void =>
      log.error("request.failed", {
        request_id: requestId,
        status: 500,
        code: "internal",
        error: describeError(error),
      });
    const remote = openRemoteTransport(application, { ...parts, onUnexpected });
    undo.push(remote.stop);

    await holdArrived(application, database, parts);
    undo.push(() => engine.stop({ hasStarted }));
    await engine.start();
    const listener = await listenLocally({
      path: paths.socket,
      version: parts.version,
      fetch: app.fetch,
      overrideGlobalObjects: parts.overrideGlobalObjects ?? false,
      onUnexpected,
    });
    undo.push(listener.close, bodies.close);
    const fireListener = await openFireTransport(application, { ...parts, onUnexpected });
    if (fireListener !== null) undo.push(fireListener.close);
    const daemonFile = createDaemonFile(paths.daemonFile, paths.socket);
    undo.push(daemonFile.remove);
    daemonFile.write();
    for (const loop of application.loops) {
      undo.push(loop.stop);
      loop.start();
    }
    // a client that has seen the start can connect
    await modules.remote.rounds.idle();
    // the former daemon may have erased secrets and stopped before it truncated the write-ahead log
    walTruncation.request();
    undo.push(housekeeping.stop);
    housekeeping.start();
    undo.push(diskWatch.stop);
    diskWatch.start(
      listWatchedPlaces({
        paths,
        lock,
        database: databasePlace,
        sealingKey,
        engine,
        listener,
        fire: fireListener === null ? null : { path: config.fireSocket!.path, listener: fireListener },
        daemonFile,
        onSuperseded: (error) => {
          isSuperseded = true;
          diskWatch.stop();
          superseded.resolve({ error });
        },
      }),
    );
    log.info("daemon.started", {
      version: parts.version,
      pid: process.pid,
      data_dir: paths.dataDir,
      socket: paths.socket,
      ...(config.fireSocket === null ? {} : { fire_socket: config.fireSocket.path }),
      audit_head: modules.audit.service.head()?.hash,
    });
    modules.audit.service.logHead();
    hasStarted = true;
    return {
      socketPath: paths.socket,
      installationId: modules.manifest.service.view().installation_id,
      isEmpty: () => modules.tasks.service.list({}, { limit: 1, after: null }).length === 0,
      rounds: {
        engine: engine.rounds,
        ticker: modules.schedules.ticker.rounds,
        deliverer: modules.deliveries.deliverer.rounds,
        remote: modules.remote.rounds,
        housekeeping: housekeeping.rounds,
      },
      superseded: superseded.promise,
      stop,
    };
  } catch (error) {
    await stop();
    throw asStartError(error, paths);
  }
}
