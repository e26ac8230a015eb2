import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "../errors/errors.ts";
import { asFileStartError } from "../errors/start-error.ts";

export interface Paths {
  readonly dataDir: string;
  readonly database: string;
  readonly sealingKey: string;
  readonly lock: string;
  /** The copies of the database for backups that are being made. */
  readonly backup: string;
  /** Exists while a backup is being restored. */
  readonly restoring: string;
  readonly log: string;
  readonly logDir: string;
  readonly attempts: string;
  readonly runners: string;
  /** What watchers know of files. */
  readonly watchers: string;
  /** The files that runs of watchers are for, each list for the task of its run alone. */
  readonly runFiles: string;
  /** Contains the path of the socket, for clients that look elsewhere. */
  readonly daemonFile: string;
  readonly socket: string;
  /** The certificates of the remote API and their keys. */
  readonly remote: string;
  /** The configuration file that applies; null if there is none. */
  readonly config: string | null;
  /** The configuration file, which may not exist yet. */
  readonly configFile: string;
}

/** The paths that the command line or the environment gives. The platform decides the others. */
export interface PathOverrides {
  readonly dataDir: string | null;
  readonly socket: string | null;
  readonly config: string | null;
  readonly runtimeDir: string | null;
  readonly isRoot: boolean;
}

/** The longest path of a socket in bytes: `sun_path` of macOS, which is the shorter one, without its final NUL. */
export const socketBytesMax = 103;

/** Null for a user without a home directory: then the package fails as soon as it is loaded. */
const envPaths = await import("env-paths").then(
  (loaded) => loaded.default,
  () => null,
);

/** Chooses the paths. Touches no file, but checks whether `config.toml` exists. */
export function choosePaths(overrides: PathOverrides): Paths {
  const dataDir = resolve(overrides.dataDir ?? (overrides.isRoot ? "/var/lib/belfry" : platformDataDir()));
  const inRuntimeDir = overrides.dataDir === null && overrides.runtimeDir !== null;
  const socket = resolve(
    overrides.socket ??
      (inRuntimeDir ? join(overrides.runtimeDir, "belfry", "belfry.sock") : join(dataDir, "belfry.sock")),
  );
  const ownConfig = join(dataDir, "config.toml");
  return {
    dataDir,
    database: join(dataDir, "belfry.db"),
    sealingKey: join(dataDir, "sealing.key"),
    lock: join(dataDir, "lock"),
    backup: join(dataDir, "backup.tmp"),
    restoring: join(dataDir, "restore.tmp"),
    logDir: join(dataDir, "log"),
    log: join(dataDir, "log", "belfry.log"),
    attempts: join(dataDir, "attempts"),
    runners: join(dataDir, "runners"),
    watchers: join(dataDir, "watchers"),
    runFiles: join(dataDir, "watchers", "files"),
    daemonFile: join(dataDir, "daemon.json"),
    socket,
    remote: join(dataDir, "remote"),
    config: overrides.config === null ? (existsSync(ownConfig) ? ownConfig : null) : resolve(overrides.config),
    configFile: overrides.config === null ? ownConfig : resolve(overrides.config),
  };
}

function platformDataDir(): string {
  if (envPaths !== null) return envPaths("belfry", { suffix: "" }).data;
  throw new StartError(
    "this user has no home directory for the daemon's data: set a data directory with --data-dir or BELFRY_DATA_DIR",
  );
}

/** Creates folders with mode 0700, independent of the umask; throws a `StartError` for a path that cannot be used. */
export function preparePaths(paths: Paths): void {
  for (const folder of [paths.dataDir, paths.logDir, paths.attempts, paths.runners, paths.watchers, paths.runFiles])
    makePrivate(folder);
  const longest = join(paths.runners, "0000000000.sock");
  for (const socket of [paths.socket, longest]) {
    const bytes = Buffer.byteLength(socket);
    if (bytes > socketBytesMax) {
      throw new StartError(
        `the socket path ${socket} is too long (${bytes} bytes; the system allows ${socketBytesMax}): choose a shorter --data-dir or --socket`,
      );
    }
  }
}

export function makePrivate(folder: string): void {
  try {
    makeFolder(folder);
    const { mode, uid } = statSync(folder);
    requireOwn(folder, uid);
    if ((mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
    // a folder of another user may have the right mode and still be out of reach
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw asFileStartError(error, folder);
  }
}

/** The owner of a folder can replace its files: the database of a daemon that runs as root says what root runs. */
function requireOwn(folder: string, uid: number): void {
  const user = process.geteuid?.();
  if (user === undefined || uid === user) return;
  throw new StartError(
    `${folder} belongs to user ${uid}, but this process runs as user ${user}: run it as user ${uid}, or give the folder to user ${user} with chown`,
  );
}

/** Creates a private folder with its parents. Node's own recursion never ends where none can be made, such as in `/proc`. */
export function makeFolder(folder: string, { mayRepeat = true } = {}): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    if (code !== "ENOENT" || !mayRepeat || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder, { mayRepeat: false });
  }
}
