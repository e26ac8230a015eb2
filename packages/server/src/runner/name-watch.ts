import { existsSync } from "node:fs";
import type { Clock } from "../kernel/time/clock.ts";
import { restoreNames, type RunnerIdentity } from "./identity.ts";
import { liveFolder, runnerPlaces } from "./places.ts";

export interface NameWatch {
  readonly dataDir: string;
  readonly runner: RunnerIdentity;
  readonly clock: Clock;
  /** Called when identity and folder exist again; the caller restores the rest. */
  readonly onRestored: () => void;
}

const everyMs = 750;

/** Creates a runner's files again if they were removed, so that the next daemon finds the runner. */
export function watchNames({ dataDir, runner, clock, onRestored }: NameWatch): void {
  const { identity, pipes, socket } = runnerPlaces(dataDir, runner.id);
  let wereGone = false;
  const look = (): void => {
    clock.after(everyMs, look);
    const areGone = ![identity, pipes, socket].every((path) => existsSync(path));
    // only at the second look, so that the daemon notices and logs it first
    if (areGone && wereGone) restore();
    wereGone = areGone;
  };
  const restore = (): void => {
    try {
      if (restoreNames(dataDir, runner)) onRestored();
    } catch {
      // the disk may be full: the next look tries again
    }
  };
  look();
}

/** Whether a folder that a start needs is missing. */
export function arePlacesGone(dataDir: string, runner: string): boolean {
  return !existsSync(runnerPlaces(dataDir, runner).pipes) || !existsSync(liveFolder(dataDir));
}
