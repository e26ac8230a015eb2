import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { ConnectionError } from "../errors.ts";

/** Why no connection came about, in words for a person who wants to mend it. */
export function describeConnectFailure(error: NodeJS.ErrnoException, socketPath: string): ConnectionError {
  return new ConnectionError(sentenceFor(error, socketPath), { code: error.code, cause: error });
}

function sentenceFor(error: NodeJS.ErrnoException, socketPath: string): string {
  switch (error.code) {
    case "ENOENT":
      return `The daemon is not running (no socket at ${socketPath}). Start it with \`belfry daemon run\`.`;
    case "ECONNREFUSED":
      return `The daemon is not running (nobody listens at ${socketPath}). Start it with \`belfry daemon run\`.`;
    case "EACCES":
    case "EPERM":
      return `You may not use the daemon's socket ${socketPath}: ${describeGuard(socketPath)}. Call as that user.`;
    default:
      return `The daemon cannot be reached at ${socketPath}: ${error.message}.`;
  }
}

/** Who owns what keeps the caller out: the socket, or the closed directory that hides it. */
function describeGuard(path: string): string {
  const stats = tryStat(path);
  if (stats === null) return dirname(path) === path ? "its directory is closed" : describeGuard(dirname(path));
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  const self = process.getuid === undefined ? "" : `, and this process runs as uid ${process.getuid()}`;
  return `${path} belongs to uid ${stats.uid} with mode ${mode}${self}`;
}

function tryStat(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
