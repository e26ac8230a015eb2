import { invalid } from "../../kernel/errors/errors.ts";
import { findMount, isAtOrBelow, isRemotePath, readMounts } from "./mounts.ts";
import type { Bytes } from "./observing/name-hash.ts";
import { bytesOf, pathOf } from "./observing/read-directory.ts";
import { resolvePath } from "./observing/resolve-path.ts";

export interface PathRuleDeps {
  readonly dataDir: string;
  /** Whether access to a path may hang. */
  readonly isRemote: (path: string) => boolean;
}

export type RequireOutsideData = ReturnType<typeof createPathRules>;

/**
 * Refuses a path in the data directory: a watcher of the daemon's own files would start runs whose output changes them. Links
 * are followed too, but never onto a remote file system, which could block the write. The observer compares device and inode.
 */
export function createPathRules({ dataDir, isRemote }: PathRuleDeps) {
  return (path: string): void => {
    const own = [dataDir, followLinks(dataDir, isRemote)];
    const meant = [path, followLinks(path, isRemote)];
    if (meant.some((at) => at !== null && own.some((folder) => folder !== null && isAtOrBelow(at, folder))))
      throw invalid("path", "path is inside the daemon's data directory, which cannot be watched: choose another path");
  };
}

/** The path without symbolic links; null where it leads onto a remote file system. What does not exist is kept as it is. */
export function followLinks(path: string, isRemote: (path: string) => boolean): string | null {
  const { failure, reached } = walkPath(path, isRemote);
  return failure === "remote" ? null : reached;
}

/** Finds the network or FUSE mount that a path leads to, without access to the mount. Null for a local path. */
export function remoteMountOf(path: string): string | null {
  const { failure, reached } = walkPath(path, isRemotePath);
  return failure === "remote" ? (findMount(readMounts(), reached)?.point ?? null) : null;
}

function walkPath(path: string, isRemote: (path: string) => boolean) {
  const { failure, reached } = resolvePath(bytesOf(path), {
    isRemote: (each) => isRemote(textOf(each)),
    isOwn: () => false,
  });
  return { failure, reached: textOf(reached) };
}

function textOf(path: Bytes): string {
  return pathOf(path).toString("utf8");
}
