import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const version = "1.2.72";

/** Returns the command of cronstable, a scheduler of the same kind. Installs it from PyPI at its first use. */
export function findCronstable(): string {
  const dir = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "belfry", `cronstable-${version}`);
  const command = join(dir, "bin", "cronstable");
  if (!existsSync(command)) {
    execFileSync("python3", ["-m", "venv", dir]);
    execFileSync(join(dir, "bin", "pip"), ["install", "--quiet", `cronstable==${version}`]);
  }
  return command;
}
