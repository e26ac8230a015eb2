import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** `daemon.json`: the process that serves a data directory, and its socket, for other programs. */
export interface DaemonFile {
  readonly write: () => void;
  /** Whether the file names this process. */
  readonly isOurs: () => boolean;
  /** Leaves a file of another daemon alone. */
  readonly remove: () => void;
}

export function createDaemonFile(path: string, socket: string): DaemonFile {
  const text = `${JSON.stringify({ pid: process.pid, socket })}\n`;
  const unnamed = `${path}.new`;
  const isOurs = (): boolean => {
    try {
      return readFileSync(path, "utf8") === text;
    } catch {
      return false;
    }
  };
  return {
    isOurs,
    write: () => {
      try {
        writeFileSync(unnamed, text, { mode: 0o600 });
        renameSync(unnamed, path);
      } catch (error) {
        rmSync(unnamed, { force: true });
        throw error;
      }
    },
    remove: () => {
      if (isOurs()) rmSync(path);
    },
  };
}

/**
 * Returns the process of a daemon that has left its file, because it was killed or the machine went down. Only for the holder
 * of the lock: otherwise the daemon may still run.
 */
export function readLeftDaemon(path: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(path, "utf8")) as { readonly pid?: unknown };
    return typeof pid === "number" ? pid : null;
  } catch {
    return null;
  }
}
