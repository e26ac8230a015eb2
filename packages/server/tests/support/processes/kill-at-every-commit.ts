import { fileURLToPath } from "node:url";
import { type DaemonProcess, spawnDaemon } from "./daemon-process.ts";

const killer = fileURLToPath(new URL("kill-at-commit.ts", import.meta.url));

/**
 * Starts one daemon after another that is killed before or after its first commit, its second, and so on, until one
 * lives through its work. Returns the number of kills.
 */
export async function killAtEveryCommit(
  options: { readonly belfryd: string; readonly dataDir: string },
  livesThrough: (daemon: DaemonProcess) => Promise<boolean>,
): Promise<number> {
  let kills = 0;
  for (let commit = 1, survivors = 0; survivors === 0; commit++) {
    for (const side of ["before", "after"]) {
      const environment = {
        PATH: "/usr/bin:/bin",
        HOME: "/tmp",
        NODE_OPTIONS: `--import=${killer}`,
        KILL_AT: String(commit),
        KILL_SIDE: side,
      };
      const daemon = spawnDaemon({ ...options, environment });
      if (await livesThrough(daemon)) survivors++;
      else kills++;
      await daemon.kill();
    }
  }
  return kills;
}
