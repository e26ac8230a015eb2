import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { runnerPlaces, runnersFolder } from "./places.ts";
import { isRunning, type ProcessId, readBootId, readStat } from "./processes/processes.ts";

/** Which process a runner is: enough to tell, without asking it, whether it lives. */
export interface RunnerIdentity extends ProcessId {
  readonly id: string;
  readonly bootId: string;
}

export function isAlive(runner: RunnerIdentity): boolean {
  return runner.bootId === readBootId() && isRunning(runner);
}

/** Takes the names of a runner for this process. Its identity comes first and whole, so that no name is ever without an owner. */
export function becomeRunner(dataDir: string, id: string): RunnerIdentity {
  const identity = { id, pid: process.pid, startTime: readStat(process.pid)!.startTime, bootId: readBootId() };
  writeIdentity(dataDir, identity);
  mkdirSync(runnerPlaces(dataDir, id).pipes, { mode: 0o700 });
  return identity;
}

/**
 * Takes the names again where somebody has removed them. False in a data directory that is gone as a whole: it may have been
 * moved, and come back.
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

/** Gives the names back; the identity goes last, so that what a crash leaves is still found by it. */
export function removeRunner(dataDir: string, id: string): void {
  const places = runnerPlaces(dataDir, id);
  for (const path of [places.socket, places.pipes, places.identity]) rmSync(path, { recursive: true, force: true });
}

/**
 * Removes the files of runners that have ended; their claims stay for the daemon. A helper of a runner that was killed may
 * still be making pipes in its folder, and nothing left there may keep a new runner from starting: `onError` is told, and
 * the next runner tries again.
 */
export function removeDeadRunners(dataDir: string, onError: (id: string, error: unknown) => void): void {
  for (const name of readdirSync(runnersFolder(dataDir))) {
    if (!name.endsWith(".json")) continue;
    const id = name.slice(0, -".json".length);
    const identity = readIdentity(runnerPlaces(dataDir, id).identity);
    if (identity === null || isAlive(identity)) continue;
    try {
      removeRunner(dataDir, id);
    } catch (error) {
      onError(id, error);
    }
  }
}

/** Null for one that is just being removed. */
function readIdentity(path: string): RunnerIdentity | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as RunnerIdentity;
  } catch {
    return null;
  }
}
