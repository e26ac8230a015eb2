import { readlinkSync } from "node:fs";
import { type Bytes } from "./name-hash.ts";
import { childPath, failureOf, pathOf, type ReadFailure, statLink } from "./read-directory.ts";

/** A name whose change may lead the path elsewhere: a link on the way, or the last part itself. */
export interface Waypoint {
  readonly directory: Bytes;
  readonly name: Bytes;
}

export interface ResolvedPath {
  /** The path without links, or null with the reason. */
  readonly real: Bytes | null;
  readonly failure: ReadFailure | "remote" | "own" | null;
  /** The path with all links that were followed: up to the remote mount, or with the parts that do not exist. */
  readonly reached: Bytes;
  /** Where a change would make the path lead elsewhere, or exist at last. */
  readonly waypoints: readonly Waypoint[];
}

export interface ResolveParts {
  /** Asked before a path is touched: a network mount that does not answer would hold the caller for ever. */
  readonly isRemote: (path: Bytes) => boolean;
  /** Asked of every directory on the way. */
  readonly isOwn: (identity: { readonly dev: bigint; readonly ino: bigint }) => boolean;
}

const linksMax = 40;

/** Follows an absolute path part by part, as the system does, and remembers every link on the way. */
export function resolvePath(path: Bytes, { isRemote, isOwn }: ResolveParts): ResolvedPath {
  const waypoints: Waypoint[] = [];
  let rest = partsOf(path);
  let at: Bytes = "/";
  let links = 0;
  const fail = (failure: ResolvedPath["failure"], reached: Bytes): ResolvedPath => ({
    real: null,
    failure,
    reached,
    waypoints,
  });

  while (rest.length > 0) {
    const [name, ...after] = rest as [Bytes, ...Bytes[]];
    rest = after;
    if (name === "..") {
      at = at.slice(0, at.lastIndexOf("/")) || "/";
      continue;
    }
    const next = childPath(at, name);
    if (isRemote(next)) return fail("remote", next);
    const found = statLink(next);
    const isLast = rest.length === 0;
    const whole = isLast ? next : childPath(next, rest.join("/"));
    if (typeof found === "string" || found.isSymbolicLink() || isLast) waypoints.push({ directory: at, name });
    if (typeof found === "string") return fail(found === "not_directory" ? "gone" : found, whole);
    if (found.isSymbolicLink()) {
      if (++links > linksMax) return fail("gone", at);
      const target = readLink(next);
      if (typeof target !== "string") return fail(target.failure, whole);
      rest = [...partsOf(target), ...rest];
      if (target.startsWith("/")) at = "/";
      continue;
    }
    if (!isLast && !found.isDirectory()) return fail("gone", whole);
    if (found.isDirectory() && isOwn(found)) return fail("own", whole);
    at = next;
  }
  return { real: at, failure: null, reached: at, waypoints };
}

function partsOf(path: Bytes): readonly Bytes[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function readLink(path: Bytes): Bytes | { readonly failure: ReadFailure } {
  try {
    return readlinkSync(pathOf(path), { encoding: "latin1" });
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
