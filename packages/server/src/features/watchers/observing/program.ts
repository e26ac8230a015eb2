import { readFileSync, statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../../kernel/time/clock.ts";
import { watchDirectory } from "../watch-files.ts";
import type { ObserverStart, ToObserver } from "./messages.ts";
import { createRemotePaths } from "./remote-paths.ts";
import { createSelector } from "./select.ts";
import { serveObserver } from "./serve.ts";

// The program of the thread that observes files: observer-thread.ts starts it. In a thread of its own, reads of files need
// not be asynchronous, which would cost ten times as much, and a slow disk does not hold the daemon.

const { dataDir, standings, ...start } = workerData as ObserverStart;
const own = statSync(dataDir, { bigint: true });

const served = serveObserver({
  ...start,
  clock: systemClock,
  standings: new Map(standings),
  isRemote: createRemotePaths(systemClock),
  isOwn: ({ dev, ino }) => dev === own.dev && ino === own.ino,
  selectorOf: createSelector,
  watchDirectory,
  overflowAt: readQueueSize() / 2,
  post: (message) => parentPort?.postMessage(message),
});
parentPort?.on("message", (message: ToObserver) => served.take(message));

/** How many notifications the system keeps for us before it drops some. */
function readQueueSize(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
  } catch {
    return Infinity;
  }
}
