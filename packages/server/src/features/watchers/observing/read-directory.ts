import { type BigIntStats, type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import type { Bytes } from "./name-hash.ts";

/** What stands in the way of a read. `gone` is also a path through a file. */
export type ReadFailure = "gone" | "denied" | "not_directory" | "failed";

export interface ListedName {
  readonly name: Bytes;
  /** `unknown` where the filesystem does not say. */
  readonly is: "file" | "directory" | "link" | "other" | "unknown";
}

export function pathOf(bytes: Bytes): Buffer {
  return Buffer.from(bytes, "latin1");
}

export function bytesOf(path: string): Bytes {
  return Buffer.from(path, "utf8").toString("latin1");
}

export function childPath(directory: Bytes, name: Bytes): Bytes {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

export function listDirectory(path: Bytes): readonly ListedName[] | ReadFailure {
  try {
    const entries = readdirSync(pathOf(path), { encoding: "latin1", withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, is: kindOf(entry) }));
  } catch (error) {
    return failureOf(error);
  }
}

function kindOf(entry: Dirent): ListedName["is"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  const isOther = entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();
  return isOther ? "other" : "unknown";
}

/** Of the link itself, where the path is one. */
export function statLink(path: Bytes): BigIntStats | ReadFailure {
  return read(() => lstatSync(pathOf(path), { bigint: true, throwIfNoEntry: false }));
}

export function statTarget(path: Bytes): BigIntStats | ReadFailure {
  return read(() => statSync(pathOf(path), { bigint: true, throwIfNoEntry: false }));
}

function read(work: () => BigIntStats | undefined): BigIntStats | ReadFailure {
  try {
    return work() ?? "gone";
  } catch (error) {
    return failureOf(error);
  }
}

export function failureOf(error: unknown): ReadFailure {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ELOOP":
      return "gone";
    case "ENOTDIR":
      return "not_directory";
    case "EACCES":
    case "EPERM":
      return "denied";
    default:
      return "failed";
  }
}

/** With the time of birth, because a new directory often has the inode of the one that was just deleted. */
export function identityOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}
