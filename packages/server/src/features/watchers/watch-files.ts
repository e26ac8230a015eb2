import { watch } from "node:fs";
import type { Bytes } from "./observing/name-hash.ts";

export interface DirectoryWatch {
  readonly close: () => void;
}

export interface WatchParts {
  /** The name that may have changed, or null if any may have. Hints may be missing, late, and about nothing. */
  readonly onHint: (name: Bytes | null) => void;
  /** No more hints will come. */
  readonly onEnd: () => void;
}

/** Why there are no notifications: the system's limit of watches, that of instances, a path that cannot be opened, or none are wanted. */
export type WatchRefusal = "watches" | "instances" | "unreadable" | "unwanted";

/** Node's own notifier, which is inotify on Linux. Libraries cost 290 MB for 100,000 files and lose events (docs/choices.md). */
export function watchDirectory(path: Buffer, { onHint, onEnd }: WatchParts): DirectoryWatch | WatchRefusal {
  try {
    const watcher = watch(path, { encoding: "latin1", persistent: false }, (_event, name) => onHint(name));
    watcher.on("error", () => {
      watcher.close();
      onEnd();
    });
    return { close: () => watcher.close() };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === "ENOSPC" ? "watches" : code === "EMFILE" || code === "ENFILE" ? "instances" : "unreadable";
  }
}
