import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./process.ts";

interface Runner {
  readonly pid: number;
  readonly startTime: number;
  readonly bootId: string;
}

/**
 * Lists the runner processes of a data directory that are alive, by the files that they write there. Sends them
 * nothing. Empty if the files cannot be read.
 */
export function listLiveRunners(dataDir: string): readonly number[] {
  const folder = join(dataDir, "runners");
  try {
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => readRunner(join(folder, name)))
      .filter((runner) => runner.bootId === bootId && isSameProcess(runner))
      .map(({ pid }) => pid);
  } catch {
    return [];
  }
}

function readRunner(path: string): readonly Runner[] {
  try {
    const { pid, startTime, bootId } = JSON.parse(readFileSync(path, "utf8")) as Partial<Runner>;
    return pid === undefined || startTime === undefined || bootId === undefined ? [] : [{ pid, startTime, bootId }];
  } catch {
    return []; // the runner is removing it
  }
}

/** A pid is used again, but not with the same start time. */
function isSameProcess({ pid, startTime }: Runner): boolean {
  if (!isAlive(pid)) return false;
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // the name in parentheses may hold anything
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]) === startTime;
}
