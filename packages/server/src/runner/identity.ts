import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runnerPlaces, runnersFolder } from "./places.ts";
import { hasProcessWith, isRunning, type ProcessId, readBootId, readStat } from "./processes/processes.ts";
import { isMissing } from "./system-error.ts";

/** Identifies a runner's process, so that others can check whether it is alive without contacting it. */
export interface RunnerIdentity extends ProcessId {
  readonly id: string;
  readonly bootId: string;
}

export function isAlive(runner: RunnerIdentity): boolean {
  return runner.bootId === readBootId() && isRunning(runner);
}

/** Identifies the runner with this pid. One that has already ended is never alive. */
export function identifyRunner(id: string, pid: number): RunnerIdentity {
  return { id, pid, startTime: readStat(pid)?.startTime ?? 0, bootId: readBootId() };
}

/** Creates a runner's files for this process. The identity is created first, in one step, so that no file lacks an owner. */
export function becomeRunner(dataDir: string, id: string): RunnerIdentity {
  const identity = identifyRunner(id, process.pid);
  writeIdentity(dataDir, identity);
  mkdirSync(runnerPlaces(dataDir, id).pipes, { mode: 0o700 });
  return identity;
}

/**
 * Creates the files again if they were removed. Returns false if the whole data directory is gone: it may have been
 * moved, and may come back.
 */
export function restoreNames(dataDir: string, identity: RunnerIdentity): boolean {
  if (!existsSync(dataDir)) return false;
  const { identity: name, pipes } = runnerPlaces(dataDir, identity.id);
  if (!existsSync(name)) writeIdentity(dataDir, identity);
  mkdirSync(pipes, { recursive: true, mode: 0o700 });
  return true;
}

function writeIdentity(dataDir: string, identity: RunnerIdentity): void {
  const places = runnerPlaces(dataDir, identity.id);
  mkdirSync(runnersFolder(dataDir), { recursive: true, mode: 0o700 });
  const unnamed = `${places.identity}.${process.pid}`;
  writeFileSync(unnamed, JSON.stringify(identity), { mode: 0o600, flush: true });
  try {
    linkSync(unnamed, places.identity);
  } finally {
    rmSync(unnamed);
  }
}

/** Removes the files. The identity is removed last, so that the rest can be found after a crash. */
export function removeRunner(dataDir: string, id: string): void {
  const places = runnerPlaces(dataDir, id);
  for (const path of [places.shared, places.socket, places.pipes, places.identity])
    rmSync(path, { recursive: true, force: true });
}

/**
 * Removes the files of runners that have ended; their claims stay for the daemon. Files that cannot be removed must not
 * stop a new runner: it reports them to `onError`, and the next runner tries again.
 */
export function removeDeadRunners(dataDir: string, onError: (id: string, error: unknown) => void): void {
  for (const name of readdirSync(runnersFolder(dataDir))) {
    const [, id, pid] = /^(.+)\.json(?:\.(\d+))?$/.exec(name) ?? [];
    if (id === undefined) continue;
    try {
      if (pid !== undefined) removeUnlinked(join(runnersFolder(dataDir), name), Number(pid));
      else if (!mayBeAlive(runnerPlaces(dataDir, id).identity, id)) removeRunner(dataDir, id);
    } catch (error) {
      onError(id, error);
    }
  }
}

/** Removes the identity of a runner that died before the file got its name. */
function removeUnlinked(path: string, pid: number): void {
  if (readStat(pid) === null) rmSync(path, { force: true });
}

/**
 * Whether the runner of this file may be alive. A damaged file names no process, so the command lines of all processes
 * are searched for the runner's id. Throws if this cannot be determined.
 */
function mayBeAlive(path: string, id: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    // a file that is just being removed needs no further removal
    if (isMissing(error)) return true;
    throw error;
  }
  const identity = parseIdentity(text);
  return identity === null ? hasProcessWith(id) : isAlive(identity);
}

/** Returns null if the text is damaged. */
function parseIdentity(text: string): RunnerIdentity | null {
  try {
    return JSON.parse(text) as RunnerIdentity;
  } catch {
    return null;
  }
}
