import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Host } from "../host.ts";

type Environment = Host["environment"];

/** The folder of the user's settings for this command. It is not the daemon's data directory. */
export function configDirOf(environment: Environment): string {
  const home = environment["HOME"] || homedir();
  if (process.platform === "win32") return join(environment["APPDATA"] || join(home, "AppData", "Roaming"), "belfry");
  if (process.platform === "darwin") return join(home, "Library", "Preferences", "belfry");
  return join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "belfry");
}

export function profileDirOf(environment: Environment): string {
  return join(configDirOf(environment), "profiles");
}

export function currentFileOf(environment: Environment): string {
  return join(configDirOf(environment), "current-profile");
}

/** The profile that `belfry profile use` chose, or null. */
export function readCurrent(environment: Environment): string | null {
  try {
    return readFileSync(currentFileOf(environment), "utf8").trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
