import { until } from "@belfry/test-kit";
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEnd } from "../../../src/runner/claims/claim.ts";
import { isAlive, type RunnerIdentity } from "../../../src/runner/identity.ts";
import { claimFolder, liveFolder, runnerPlaces, runnersFolder } from "../../../src/runner/places.ts";

/** The living runners of this data directory, by their own identities. */
export function runnersOf(dataDir: string): readonly RunnerIdentity[] {
  return readdirSync(runnersFolder(dataDir))
    .filter((name) => name.endsWith(".json"))
    .map((name) => readIdentity(join(runnersFolder(dataDir), name)))
    .filter((identity) => identity !== null)
    .filter(isAlive);
}

/** Null if the next runner has just removed the file of a dead one. */
function readIdentity(path: string): RunnerIdentity | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as RunnerIdentity;
  } catch {
    return null;
  }
}

export function signalRunners(dataDir: string, signal: NodeJS.Signals): void {
  for (const { pid } of runnersOf(dataDir)) process.kill(pid, signal);
}

export async function killRunners(dataDir: string): Promise<void> {
  const doomed = runnersOf(dataDir);
  for (const { pid } of doomed) process.kill(pid, "SIGKILL");
  await until("the runners to be gone", () => !doomed.some(isAlive));
}

/**
 * Waits until every living runner has noticed which daemons have disconnected: one that is to leave has left then,
 * however busy the machine. Call it while no daemon runs.
 */
export async function untilDisconnected(dataDir: string): Promise<void> {
  await until("the runners to be disconnected", () => {
    const rows = readFileSync("/proc/net/unix", "utf8").split("\n");
    return runnersOf(dataDir).every(({ id }) => {
      const { socket } = runnerPlaces(dataDir, id);
      // 03 is a connected socket, and 02 one that is not accepted yet, in the column before the inode and the path
      return !rows.some((row) => / 0[23] +\d+ /.test(row) && row.endsWith(` ${socket}`));
    });
  });
}

/** The processes that still run with this text in their environment. */
export async function survivorsOf(text: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).includes(text) ? pid : null,
    ),
  );
  return found.filter((pid) => pid !== null);
}

/** Kills the processes with this text in their environment, and those they start meanwhile, until none is left. */
export async function killSurvivors(text: string): Promise<void> {
  await until(`no process with ${text}`, async () => {
    const pids = await survivorsOf(text);
    for (const pid of pids) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // the process has ended meanwhile, as the sleeps of a loop do
      }
    }
    return pids.length === 0;
  });
}

/** Whether the end of an attempt that is not forgotten is written. */
export async function someClaimHasEnd(dataDir: string): Promise<boolean> {
  const attempts = await readdir(liveFolder(dataDir));
  const ends = await Promise.all(attempts.map((attempt) => readEnd(claimFolder(dataDir, attempt))));
  return ends.some((end) => end !== null);
}
