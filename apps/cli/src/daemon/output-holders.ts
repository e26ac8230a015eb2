import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export interface NamedProcess {
  readonly pid: number;
  readonly name: string;
}

/**
 * Lists the processes that write to the pipes that a runner reads: its tasks, and what a task left in the background.
 * The latter keeps the runner alive. Without those of other users, whose files only root can see; empty outside Linux.
 */
export function listOutputHolders(runners: readonly number[]): readonly NamedProcess[] {
  const own = new Set(runners);
  const pipes = new Set(runners.flatMap((pid) => [...pipesOf(pid)]));
  if (pipes.size === 0) return [];
  return readNames("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => !own.has(pid) && pid !== process.pid)
    .filter((pid) => [...pipesOf(pid)].some((pipe) => pipes.has(pipe)))
    .flatMap((pid) => {
      const name = nameOf(pid);
      return name === null ? [] : [{ pid, name }];
    });
}

/** `9263 (sleep), 9264 (sh) and 3 more`. */
export function listProcesses(processes: readonly NamedProcess[]): string {
  const named = processes.slice(0, 5).map(({ pid, name }) => `${pid} (${name})`);
  const rest = processes.length - named.length;
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${rest} more`;
}

function pipesOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  return new Set(readNames(folder).flatMap((name) => linkOf(join(folder, name))));
}

function linkOf(path: string): readonly string[] {
  try {
    const target = readlinkSync(path);
    return target.startsWith("pipe:") ? [target] : [];
  } catch {
    return []; // closed in the meantime
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has ended, or belongs to another user
  }
}

function nameOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return null;
  }
}
