import { readFileSync, statSync } from "node:fs";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../../kernel/time/clock.ts";
import { watchDirectory } from "../watch-files.ts";
import { endOfThread, type FromObserver, type ObserverStart, type ToObserver } from "./messages.ts";
import { createRemotePaths } from "./remote-paths.ts";
import { createSelector } from "./select.ts";
import { serveObserver } from "./serve.ts";

// The program that observes files: observer-thread.ts starts it as a thread, and observer-process.ts as a process for a mount
// that may hang. Apart from the daemon, reads of files need not be asynchronous, which would cost ten times as much, and a slow
// disk does not hold the daemon.

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const served = serve(workerData as ObserverStart, (message) => port.postMessage(message));
  port.on("message", (message: ToObserver | typeof endOfThread) => {
    if (message !== endOfThread) return served.take(message);
    // nothing else keeps the thread awake
    void served.stop().finally(() => port.close());
  });
} else {
  // it ends with the channel: nothing else keeps it awake
  process.once("message", (start: ObserverStart) => {
    const served = serve(start, (message) => {
      if (process.connected) process.send?.(message);
    });
    process.on("message", (message: ToObserver) => served.take(message));
  });
}

function serve({ dataDir, ...start }: ObserverStart, post: (message: FromObserver) => void) {
  const own = statSync(dataDir, { bigint: true });
  return serveObserver({
    ...start,
    clock: systemClock,
    isRemote: start.mount === null ? createRemotePaths(systemClock) : () => false,
    isOwn: ({ dev, ino }) => dev === own.dev && ino === own.ino,
    selectorOf: createSelector,
    watchDirectory: start.mount === null ? watchDirectory : () => "unwanted",
    isPolled: start.mount !== null,
    overflowAt: readQueueSize() / 2,
    post,
  });
}

/** How many notifications the system keeps for us before it drops some. */
function readQueueSize(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
  } catch {
    return Infinity;
  }
}
