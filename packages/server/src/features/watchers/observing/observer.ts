import type { BigIntStats } from "node:fs";
import type { Clock } from "../../../kernel/time/clock.ts";
import { createLoop, type Next } from "../../../kernel/time/loop.ts";
import { createDirectories, type Directory, type WatchDirectory } from "./directories.ts";
import { createJobs } from "./jobs.ts";
import { KnownStore, type SharedKnown } from "./known-store.ts";
import { Memory } from "./memory.ts";
import { failureText } from "./failure-text.ts";
import type { FromObserver, HealthCode, WatchOrder } from "./messages.ts";
import { createNameHash, type Bytes } from "./name-hash.ts";
import { createPeriods } from "./periods.ts";
import type { Place, ScanDepth } from "./place.ts";
import { resolvePath } from "./resolve-path.ts";
import { createScanner } from "./scan.ts";
import { type Due, dueAt, whatIsDue } from "./settling.ts";
import { Watched } from "./watched.ts";

/*
 * The observer: all watchers of one thread or process, in one loop. A round takes the notifications, looks at the names they
 * gave, begins what has become due, works on looks at directories for a while, and reports what is different now.
 */

export interface ObserverParts {
  readonly clock: Clock;
  /** Where the state of watchers is kept. */
  readonly folder: string;
  /** Of the names in that state. */
  readonly hashKey: Uint8Array;
  /** Whether the path lies on a mount that may not answer, which this observer does not look at. */
  readonly isRemote: (path: Bytes) => boolean;
  readonly isOwn: (identity: { readonly dev: bigint; readonly ino: bigint }) => boolean;
  readonly selectorOf: (pattern: string) => (name: Bytes) => boolean;
  readonly watchDirectory: WatchDirectory;
  /** For a network mount, where nothing notifies and inodes change. */
  readonly isPolled: boolean;
  /** Of one watcher; one with more is not observed. */
  readonly filesMax: number;
  /** So many notifications in one round may have been preceded by others that the system dropped. */
  readonly overflowAt: number;
  readonly post: (message: FromObserver) => void;
}

export type Observer = ReturnType<typeof createObserver>;

/** A round begins this long after the first notification, and takes all that came meanwhile. */
const gatherMs = 2;
/** Notifications wait in the system's queue while a round works. */
const roundMsMax = 20;

export function createObserver(parts: ObserverParts) {
  const { clock, post } = parts;
  const nowMs = clock.monotonicMs;
  const trust = parts.isPolled ? "content" : "inode";
  const watchers = new Map<string, Watched>();
  const reported = new Map<Watched, { health: HealthCode | null; isSettling: boolean }>();
  const toCheck = new Set<Watched>();
  const updated = new Set<Watched>();
  const depths = new Map<Directory, ScanDepth>();
  /** Emptied once the directories were looked at, which share by themselves. */
  const shared: SharedKnown = new Map();
  const hash = createNameHash(parts.hashKey);
  const directories = createDirectories({
    watchDirectory: parts.watchDirectory,
    nowMs,
    onNotified: () => {
      periods.countNotification();
      loop.wakeWithin(gatherMs);
    },
  });
  const scanner = createScanner({
    isOwn: parts.isOwn,
    directories,
    hash,
    trust,
    nowMs,
    isFile,
    queueScan,
  });
  const jobs = createJobs<Directory | Watched>((error) =>
    post({ is: "failure", watcherId: null, failure: failureText(error) }),
  );
  const periods = createPeriods({ clock, overflowAt: parts.overflowAt });
  const loop = createLoop({
    clock,
    round,
    onFailure: (error) => {
      post({ is: "failure", watcherId: null, failure: failureText(error) });
      return { afterMs: 1_000 };
    },
  });

  return {
    rounds: loop.rounds,
    watchers,
    hash,
    wake: loop.wake,
    observe: (order: WatchOrder, startedAt: number | null): void => {
      leave(order.id, { isForgotten: false });
      const store = new KnownStore(`${parts.folder}/${order.id}`, shared);
      const watched: Watched = new Watched(order, {
        ...parts,
        directories,
        hash,
        trust,
        isFile,
        nowMs,
        memory: new Memory(store, order, startedAt),
        selects: parts.selectorOf(order.pattern),
        queueScan,
        queueCheck: () => {
          toCheck.add(watched);
          loop.wake();
        },
        onUpdated: () => void updated.add(watched),
      });
      watchers.set(order.id, watched);
      reported.set(watched, { health: null, isSettling: false });
      toCheck.add(watched);
      loop.wake();
    },
    setTimings: (order: WatchOrder): void => {
      const watched = watchers.get(order.id);
      if (watched === undefined) return;
      watched.order = order;
      loop.wake();
    },
    leave,
    rescan: (id: string): void => {
      const watched = watchers.get(id);
      if (watched === undefined) return;
      rescan(watched);
      loop.wake();
    },
    stop: async (): Promise<void> => {
      await loop.stop();
      for (const id of watchers.keys()) leave(id, { isForgotten: false });
      directories.close();
    },
  };

  function leave(id: string, { isForgotten }: { readonly isForgotten: boolean }): void {
    const watched = watchers.get(id);
    if (watched === undefined) return;
    watchers.delete(id);
    reported.delete(watched);
    toCheck.delete(watched);
    updated.delete(watched);
    jobs.drop(watched);
    watched.close();
    if (isForgotten) watched.memory.remove();
  }

  function round(): Next {
    const begunAt = nowMs();
    takeHints();
    if (periods.isEverythingDue()) for (const watched of watchers.values()) rescan(watched);
    if (periods.isCheckDue()) for (const watched of watchers.values()) watched.check("regular");
    if (periods.isPollDue()) queuePolled();
    if (periods.isSweepDue()) for (const directory of directories.all()) queueDirectory(directory, "all");
    for (const watched of toCheck) {
      toCheck.delete(watched);
      watched.check("complete");
    }
    for (const watched of watchers.values()) beginLook(watched);
    jobs.work(() => nowMs() - begunAt > roundMsMax);
    if (jobs.size() === 0) shared.clear();
    periods.endRound({ begunAt, isIdle: jobs.size() === 0 });
    report();
    if (periods.isSignDue()) post({ is: "alive" });
    return next();
  }

  function isFile(path: Bytes, stats: BigIntStats): boolean {
    if (!stats.isSymbolicLink()) return stats.isFile();
    const { real } = resolvePath(path, parts);
    return real !== null && !directories.isDirectory(real);
  }

  function takeHints(): void {
    for (const directory of directories.takeHinted()) {
      const names = directory.takeHints();
      for (const user of directory.users) {
        if (names === null) user.onHint(null);
        else for (const name of names) user.onHint(name);
      }
      if (names === null) queueDirectory(directory, "all");
      else if (scanner.lookAtNames(directory, names) === "scan") queueDirectory(directory, "names");
    }
  }

  function rescan(watched: Watched): void {
    toCheck.add(watched);
    for (const place of watched.places) queueScan(place);
  }

  function queueScan({ directory }: Place): void {
    if (directory !== null) queueDirectory(directory, "all");
  }

  function queueDirectory(directory: Directory, depth: ScanDepth): void {
    if (depth === "all" || !depths.has(directory)) depths.set(directory, depth);
    jobs.add(directory, () => {
      const wanted = depths.get(directory) ?? depth;
      depths.delete(directory);
      return scanner.scan(directory, wanted);
    });
  }

  function queuePolled(): void {
    if (parts.isPolled) for (const watched of watchers.values()) toCheck.add(watched);
    for (const directory of directories.all()) if (!directory.isNotified) queueDirectory(directory, "all");
  }

  function beginLook(watched: Watched): void {
    if (watched.isLooking) return;
    const due = whatIsDue(watched.phase, watched.order, nowMs());
    if (due === null) return;
    watched.isLooking = true;
    jobs.add(watched, () => look(watched, due));
  }

  /** Directories with notifications are read again first: some of these may have been lost. */
  function* look(watched: Watched, due: Due): Generator<void> {
    const begunAt = nowMs();
    const { phase } = watched;
    try {
      for (const place of watched.places)
        if (place.isHinted && place.directory !== null) yield* scanner.scan(place.directory, "names");
      let count = 0;
      for (const changed of watched.changed()) {
        watched.lookAt(changed);
        if (++count % 256 === 0) yield;
      }
      // what changed meanwhile begins the debounce again
      if (watched.phase !== phase && due !== "max_wait") return;
      if (watchers.get(watched.order.id) !== watched) return;
      if (watched.endLook(due, begunAt, nowMs())) offer(watched);
    } finally {
      watched.isLooking = false;
      updated.add(watched);
    }
  }

  function offer(watched: Watched): void {
    const count = watched.ready().length;
    if (count > 0) post({ is: "settled", watcherId: watched.order.id, count });
  }

  function report(): void {
    for (const watched of updated) {
      const former = reported.get(watched);
      if (former === undefined) continue;
      const { id: watcherId } = watched.order;
      try {
        watched.review();
      } catch (error) {
        post({ is: "failure", watcherId, failure: failureText(error) });
      }
      const health = watched.health();
      const isSettling = watched.phase.is !== "quiet";
      if (health !== former.health) post({ is: "health", watcherId, code: health });
      if (isSettling !== former.isSettling) post({ is: "settling", watcherId, isSettling });
      reported.set(watched, { health, isSettling });
    }
    updated.clear();
  }

  function next(): Next {
    // what was noticed during a scan waits for its end
    if (jobs.size() > 0 || toCheck.size > 0 || directories.isHinted()) return "now";
    let at = periods.nextAt();
    for (const watched of watchers.values()) {
      if (watched.isLooking) continue;
      at = Math.min(at, dueAt(watched.phase, watched.order) ?? at);
    }
    return { afterMs: Math.max(0, at - nowMs()) };
  }
}
