import { existsSync } from "node:fs";
import type { Clock } from "../kernel/time/clock.ts";
import { restoreNames, type RunnerIdentity } from "./identity.ts";
import { liveFolder, runnerPlaces } from "./places.ts";

export interface NameKeeper {
  readonly dataDir: string;
  readonly runner: RunnerIdentity;
  readonly clock: Clock;
  /** Identity and folder are there again; the rest is to follow. */
  readonly onRestored: () => void;
}

const everyMs = 750;

/** Makes a runner's names again where somebody has removed them, so that the next daemon finds it. */
export function keepNames({ dataDir, runner, clock, onRestored }: NameKeeper): void {
  const { identity, pipes, socket } = runnerPlaces(dataDir, runner.id);
  let wereGone = false;
  const look = (): void => {
    clock.after(everyMs, look);
    const areGone = ![identity, pipes, socket].every((path) => existsSync(path));
    // at the second look only: the daemon sees it before, and says so
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
