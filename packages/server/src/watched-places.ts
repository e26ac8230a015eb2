import { existsSync } from "node:fs";
import type { Engine } from "./features/engine/index.ts";
import type { DaemonFile } from "./kernel/files/daemon-file.ts";
import type { DatabasePlace } from "./kernel/storage/database-place.ts";
import type { WatchedPlace } from "./kernel/files/disk-watch.ts";
import { type Lock, LockedError } from "./kernel/files/lock-file.ts";
import { makePrivate, type Paths } from "./kernel/files/paths.ts";
import { writeSealingKey } from "./kernel/secrets/secrets.ts";
import type { SocketListener } from "./transports/shared/socket-listener.ts";

export interface WatchedParts {
  readonly paths: Paths;
  readonly lock: Lock;
  readonly database: DatabasePlace;
  readonly sealingKey: Buffer;
  readonly engine: Engine;
  readonly listener: SocketListener;
  /** The socket for fires; null while it is off. */
  readonly fire: { readonly path: string; readonly listener: SocketListener } | null;
  readonly daemonFile: DaemonFile;
  /** Called when another daemon has taken the data directory: this one must stop. */
  readonly onSuperseded: (error: LockedError) => void;
}

/**
 * Lists every file that a running daemon needs, or that other programs find it by. A file is created again if nothing
 * is lost by that.
 */
export function listWatchedPlaces(parts: WatchedParts): readonly WatchedPlace[] {
  const { paths, lock, database, sealingKey, engine, listener, fire, daemonFile } = parts;
  return [
    restoring(paths.lock, "the lock file was removed: the daemon took the lock again", () => {
      try {
        return lock.restore();
      } catch (error) {
        if (error instanceof LockedError) parts.onSuperseded(error);
        throw error;
      }
    }),
    database,
    restoring(paths.sealingKey, "the sealing key was removed: the daemon wrote it again from memory", () => {
      if (existsSync(paths.sealingKey)) return false;
      writeSealingKey(paths.sealingKey, sealingKey);
      return true;
    }),
    restoring(paths.logDir, "the directory of the logs was removed: the daemon created it again", () =>
      restoreFolder(paths.logDir),
    ),
    restoring(
      paths.attempts,
      "the directory `attempts` was removed, with the output of runs and the runners' records: the daemon created it again, empty",
      engine.restoreFolder,
    ),
    restoring(paths.runners, "the runners' sockets were removed: the runners create them again", () =>
      restoreFolder(paths.runners),
    ),
    restoring(paths.socket, "the socket was removed: the daemon created it again", listener.restore),
    ...(fire === null
      ? []
      : [restoring(fire.path, "the socket for fires was removed: the daemon created it again", fire.listener.restore)]),
    restoring(paths.daemonFile, "daemon.json was removed or changed: the daemon wrote it again", () => {
      if (daemonFile.isOurs()) return false;
      daemonFile.write();
      return true;
    }),
  ];
}

function restoring(path: string, message: string, restore: () => boolean): WatchedPlace {
  return { path, look: () => (restore() ? { is: "restored", message } : null) };
}

function restoreFolder(folder: string): boolean {
  if (existsSync(folder)) return false;
  makePrivate(folder);
  return true;
}
