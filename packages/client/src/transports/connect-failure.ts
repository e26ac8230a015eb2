import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { ConnectionError } from "../errors.ts";

/** Describes a failed connection: what is wrong, and how to fix it. `lookedAt` are all paths where the socket may have been. */
export function describeConnectFailure(
  error: NodeJS.ErrnoException,
  socketPath: string,
  lookedAt: readonly string[] = [],
): ConnectionError {
  const missing = lookedAt.filter((path) => path !== socketPath && tryStat(path) === null);
  return new ConnectionError(explain(error, socketPath, missing), { code: error.code, cause: error });
}

function explain(error: NodeJS.ErrnoException, socketPath: string, missing: readonly string[]): string {
  switch (error.code) {
    case "ENOENT":
      return `The daemon is not running (no socket at ${[socketPath, ...missing].join(" or ")}). Start it with \`belfry daemon run\`.`;
    case "ECONNREFUSED": {
      const elsewhere = missing.length === 0 ? "" : `, and there is no socket at ${missing.join(" or ")}`;
      return `The daemon is not running (nothing listens at ${socketPath}${elsewhere}). Start it with \`belfry daemon run\`.`;
    }
    case "EACCES":
    case "EPERM":
      return `You do not have permission to use the daemon's socket ${socketPath}: ${describeOwner(socketPath)}. ${describeWayIn(socketPath)}.`;
    default:
      return `The daemon cannot be reached at ${socketPath}: ${error.message}. Check the path of the socket.`;
  }
}

/** Describes the owner of the socket, or of the nearest visible directory above it. */
function describeOwner(path: string): string {
  const stats = tryStat(path);
  if (stats === null) return dirname(path) === path ? "its directory is not accessible" : describeOwner(dirname(path));
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  const self = process.getuid === undefined ? "" : `, and this process runs as uid ${process.getuid()}`;
  return `${path} belongs to uid ${stats.uid} with mode ${mode}${self}`;
}

/** A fire socket may be open to a group. */
function describeWayIn(path: string): string {
  const stats = tryStat(path);
  const isOpenToGroup = stats !== null && (stats.mode & 0o020) !== 0;
  return isOpenToGroup
    ? `Run the program as the daemon's user or as a member of the group with gid ${stats.gid}`
    : "Run the program as the daemon's user";
}

function tryStat(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
