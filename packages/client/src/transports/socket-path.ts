import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the path of the daemon's socket: `BELFRY_SOCKET`, or the socket of `BELFRY_DATA_DIR`. If neither is set, tries
 * `$XDG_RUNTIME_DIR/belfry/belfry.sock` and then the socket of the default data directory, and returns the first that exists.
 * A data directory's `daemon.json` may name a socket elsewhere.
 */
export function socketPathFromEnv(environment: Environment = process.env): string {
  return firstSocket(socketPathsFromEnv(environment));
}

/** Lists the paths where {@link socketPathFromEnv} looks for the socket, in its order. */
export function socketPathsFromEnv(environment: Environment = process.env): readonly string[] {
  const { BELFRY_SOCKET: socket, BELFRY_DATA_DIR: dataDir, XDG_RUNTIME_DIR: runtimeDir } = environment;
  if (socket) return [socket];
  if (dataDir) return [socketPathOf(dataDir)];
  const inDataDir = socketPathOf(defaultDataDir(environment));
  return runtimeDir ? [join(runtimeDir, "belfry", "belfry.sock"), inDataDir] : [inDataDir];
}

/** Returns the first path that exists, or else the first one. */
export function firstSocket(paths: readonly string[]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0]!;
}

/** Finds the daemon's data directory: `BELFRY_DATA_DIR`, or else the default of the platform. */
export function dataDirFromEnv(environment: Environment = process.env): string {
  return environment["BELFRY_DATA_DIR"] || defaultDataDir(environment);
}

/** Returns the path of the socket of a data directory's daemon. */
export function socketPathOf(dataDir: string): string {
  return readAnnouncedSocket(join(dataDir, "daemon.json")) ?? join(dataDir, "belfry.sock");
}

function readAnnouncedSocket(path: string): string | null {
  try {
    const announced: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof announced !== "object" || announced === null || !("socket" in announced)) return null;
    return typeof announced.socket === "string" ? announced.socket : null;
  } catch {
    return null; // no daemon has run here yet, or the file is incomplete: use the default path
  }
}

/** The daemon's rule, without its dependency `env-paths`. */
function defaultDataDir(environment: Environment): string {
  if (process.getuid?.() === 0) return "/var/lib/belfry";
  const home = environment["HOME"] || findHome();
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "belfry");
  return join(environment["XDG_DATA_HOME"] || join(home, ".local", "share"), "belfry");
}

/** `homedir` throws for a user without an entry in the password database, as in some containers. */
function findHome(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
