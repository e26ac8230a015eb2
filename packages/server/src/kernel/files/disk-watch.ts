import { existsSync } from "node:fs";
import type { Clock, Timer } from "../time/clock.ts";
import type { Log } from "../log/log.ts";

/** The result of a check: the daemon repaired a `restored` fault; a `broken` one needs the user to act. */
export interface DiskFault {
  readonly is: "restored" | "broken";
  readonly message: string;
}

/** A file that the daemon has open, or that other programs find it by. */
export interface WatchedPlace {
  readonly path: string;
  /** Checks the place and restores it if possible. Returns null if nothing has changed. */
  readonly look: () => DiskFault | null;
}

export interface BrokenPlace {
  readonly path: string;
  readonly message: string;
}

export interface DiskWatchParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
}

export type DiskWatch = ReturnType<typeof createDiskWatch>;

/** The pause between two checks. A check takes a few microseconds for each place. */
const everyMs = 500;

/** Checks twice a second whether the daemon's files still exist: the system does not report the removal of an open file. */
export function createDiskWatch({ clock, log, dataDir }: DiskWatchParts) {
  const broken = new Map<string, string>();
  let places: readonly WatchedPlace[] = [];
  let timer: Timer | null = null;
  let isStopped = false;

  function lookAtAll(): void {
    timer = clock.after(everyMs, lookAtAll);
    // a moved directory may come back, so nothing is created in its place
    const isGone = !existsSync(dataDir);
    const gone = { is: "broken", message: "the data directory was removed or moved: put the directory back" } as const;
    report(dataDir, isGone ? gone : null);
    if (isGone) return;
    for (const { path, look } of places) {
      report(path, tryLook(look));
      // the report may have stopped the daemon
      if (isStopped) return;
    }
  }

  function tryLook(look: WatchedPlace["look"]): DiskFault | null {
    try {
      return look();
    } catch (error) {
      return { is: "broken", message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Logs each fault once, and its recovery. */
  function report(path: string, fault: DiskFault | null): void {
    const former = broken.get(path);
    if (fault?.is === "broken") {
      broken.set(path, fault.message);
      if (former !== fault.message) log.error("storage.broken", { path, message: fault.message });
      return;
    }
    broken.delete(path);
    if (fault !== null) log.error("storage.restored", { path, message: fault.message });
    else if (former !== undefined) log.info("storage.recovered", { path });
  }

  return {
    start: (watched: readonly WatchedPlace[]): void => {
      places = watched;
      lookAtAll();
    },
    stop: (): void => {
      isStopped = true;
      timer?.cancel();
    },
    listBroken: (): readonly BrokenPlace[] => [...broken].map(([path, message]) => ({ path, message })),
  };
}
