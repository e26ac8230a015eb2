import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where the daemon's socket is, by the environment: `BELFRY_SOCKET`; else in `BELFRY_DATA_DIR`; else the first there is of
 * `$XDG_RUNTIME_DIR/belfry/belfry.sock` and the one of the default data directory. A data directory's `daemon.json`
 * says where its daemon listens if that is elsewhere.
 */
export function socketPathFromEnv(environment: Environment = process.env): string {
  const { BELFRY_SOCKET: socket, BELFRY_DATA_DIR: dataDir, XDG_RUNTIME_DIR: runtimeDir } = environment;
  if (socket) return socket;
  if (dataDir) return socketPathOf(dataDir);
  const places = [socketPathOf(defaultDataDir(environment))];
  if (runtimeDir) places.unshift(join(runtimeDir, "belfry", "belfry.sock"));
  return places.find((path) => existsSync(path)) ?? places[0]!;
}

/** The daemon's data directory, by the environment: `BELFRY_DATA_DIR`, else the platform's. */
export function dataDirFromEnv(environment: Environment = process.env): string {
  return environment["BELFRY_DATA_DIR"] || defaultDataDir(environment);
}

/** Where the daemon of a data directory listens. */
export function socketPathOf(dataDir: string): string {
  return announcedSocket(join(dataDir, "daemon.json")) ?? join(dataDir, "belfry.sock");
}

function announcedSocket(path: string): string | null {
  try {
    const announced: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof announced !== "object" || announced === null || !("socket" in announced)) return null;
    return typeof announced.socket === "string" ? announced.socket : null;
  } catch {
    return null; // no daemon has run here yet, or the file is half written: the default place is the best guess
  }
}

/** The daemon's own rule: its package `env-paths`, in the few lines that concern a data directory. */
function defaultDataDir(environment: Environment): string {
  if (process.getuid?.() === 0) return "/var/lib/belfry";
  const home = environment["HOME"] || ownHome();
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "belfry");
  return join(environment["XDG_DATA_HOME"] || join(home, ".local", "share"), "belfry");
}

/** A user without an entry in the password database, as in some containers, has none. */
function ownHome(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
