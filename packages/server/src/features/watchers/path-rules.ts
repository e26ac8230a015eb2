import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { invalid } from "../../kernel/errors/errors.ts";
import { findMount, isAtOrBelow, isRemotePath, readMounts } from "./mounts.ts";

export interface PathRuleDeps {
  readonly dataDir: string;
  /** Whether access to a path may hang. */
  readonly isRemote: (path: string) => boolean;
}

export type RequireOutsideData = ReturnType<typeof createPathRules>;

/** As many as the kernel follows. */
const linksMax = 40;

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
  const found = walkPath(path, isRemote);
  return found.isRemote ? null : found.at;
}

/** Finds the network or FUSE mount that a path leads to, without access to the mount. Null for a local path. */
export function remoteMountOf(path: string): string | null {
  const { at, isRemote } = walkPath(path, isRemotePath);
  return isRemote ? (findMount(readMounts(), at)?.point ?? null) : null;
}

/** Follows links down to the end, or to the first part on a remote file system, which is not touched. */
export function walkPath(
  path: string,
  isRemote: (path: string) => boolean,
): { readonly at: string; readonly isRemote: boolean } {
  let rest = path.split("/").filter((name) => name !== "");
  let at = "/";
  for (let links = 0; rest.length > 0;) {
    const [name = "", ...below] = rest;
    const next = resolve(at, name);
    if (isRemote(next)) return { at: next, isRemote: true };
    const target = readLink(next);
    if (target === null) {
      at = next;
      rest = below;
      continue;
    }
    if (++links > linksMax) return { at, isRemote: false };
    rest = [
      ...resolve(dirname(next), target)
        .split("/")
        .filter((part) => part !== ""),
      ...below,
    ];
    at = "/";
  }
  return { at, isRemote: false };
}

/** Null for what is not a symbolic link, does not exist or cannot be read. */
function readLink(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
