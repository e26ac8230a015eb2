import { join } from "node:path";

/** Other users may pass through this folder, but not through the data directory. */
const sharedFolder = "/run/belfry/files";

/**
 * Returns the paths of a runner's files: its identity, its socket and its working folder in the data directory, and its
 * folder for files that other users read.
 */
export function runnerPlaces(dataDir: string, runner: string) {
  const folder = runnersFolder(dataDir);
  return {
    identity: join(folder, `${runner}.json`),
    socket: join(folder, `${runner}.sock`),
    pipes: join(folder, `${runner}.pipes`),
    shared: join(sharedFolder, runner),
  };
}

export function runnersFolder(dataDir: string): string {
  return join(dataDir, "runners");
}

/** Returns the folder of the claims, which has one folder per attempt. Recovery reads nothing else. */
export function liveFolder(dataDir: string): string {
  return join(dataDir, "attempts", "live");
}

export function claimFolder(dataDir: string, attempt: string): string {
  return join(liveFolder(dataDir), attempt);
}

/**
 * Returns the final folder of an attempt's output. These are spread over many folders by the end of the attempt's
 * random id.
 */
export function keptFolder(dataDir: string, attempt: string): string {
  return join(dataDir, "attempts", "kept", attempt.slice(-2), attempt);
}

/** Lists the folders that an attempt's output can be in, in the order in which it moves through them. */
export function outputFolders(dataDir: string, attempt: string): readonly string[] {
  return [claimFolder(dataDir, attempt), keptFolder(dataDir, attempt)];
}
