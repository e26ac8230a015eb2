import { readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProcessId, type ProcessStat, readStat } from "./processes.ts";

/**
 * Lists the processes in a cgroup and those below it; empty if the cgroup is gone. Throws if they cannot be read: an
 * unknown process must not count as gone.
 */
export function listMembers(cgroup: string): readonly ProcessStat[] {
  return listPids(cgroup)
    .map(readStat)
    .filter((stat) => stat !== null);
}

/**
 * Kills every process in a cgroup and below it at once, also those that are just being forked. Does nothing while this
 * process is in it, or a helper that this process is just starting: the caller tries again.
 */
export function killMembers(cgroup: string, main: ProcessId | null): void {
  try {
    if (listMembers(cgroup).some((member) => member.pid === process.pid || isHelper(member, main))) return;
    writeFileSync(join(cgroup, "cgroup.kill"), "1");
  } catch {
    // the cgroup is gone, or its processes are killed one by one
  }
}

/** Whether this process started it for itself: of an attempt's processes, only the main one is a child of the runner. */
export function isHelper({ pid, parent }: ProcessStat, main: ProcessId | null): boolean {
  return parent === process.pid && pid !== main?.pid;
}

/** Removes a cgroup and those below it, as far as they are empty. Returns whether all are gone. */
export function removeCgroup(cgroup: string): boolean {
  // most have none below
  if (removeOne(cgroup)) return true;
  for (const child of listChildren(cgroup)) removeCgroup(child);
  return removeOne(cgroup);
}

function removeOne(cgroup: string): boolean {
  try {
    rmdirSync(cgroup);
    return true;
  } catch (error) {
    return isGone(error);
  }
}

function listPids(cgroup: string): readonly number[] {
  const text = unlessGone(() => readFileSync(join(cgroup, "cgroup.procs"), "latin1"), "");
  // a process of another PID namespace is listed as 0
  const own = text.split("\n").map(Number).filter(Boolean);
  return [...own, ...listChildren(cgroup).flatMap(listPids)];
}

function listChildren(cgroup: string): readonly string[] {
  const entries = unlessGone(() => readdirSync(cgroup, { withFileTypes: true }), []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(cgroup, name));
}

function unlessGone<TResult>(read: () => TResult, otherwise: TResult): TResult {
  try {
    return read();
  } catch (error) {
    if (isGone(error)) return otherwise;
    throw error;
  }
}

/** ENODEV: the cgroup was removed after its file was opened. */
function isGone(error: unknown): boolean {
  return ["ENOENT", "ENODEV"].includes((error as NodeJS.ErrnoException).code ?? "");
}
