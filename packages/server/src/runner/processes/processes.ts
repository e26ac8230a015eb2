import { readdirSync, readFileSync } from "node:fs";
import { isMissing, isResourceExhausted } from "../system-error.ts";

/** Identifies one process within a boot: pids are reused, but a pid with its start time (clock ticks since boot) is unique. */
export interface ProcessId {
  readonly pid: number;
  readonly startTime: number;
}

export interface ProcessStat extends ProcessId {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /**
   * Whether the process has ended, but keeps its pid until its parent has waited for it. A process whose main thread has
   * ended runs on in its other threads.
   */
  readonly isZombie: boolean;
}

/** Parses `/proc/<pid>/stat`. The name in parentheses may hold anything, including parentheses and line breaks. */
export function parseStat(line: string): ProcessStat {
  const [state, parent, group, session, ...rest] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: Number(rest[15]),
    isZombie: (state === "Z" && Number(rest[13]) <= 1) || state === "X",
  };
}

/**
 * Reads the state of a process; null if it does not exist. Throws if this cannot be determined: an unknown process must
 * not count as gone.
 */
export function readStat(pid: number): ProcessStat | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function isRunning(process: ProcessId): boolean {
  const stat = readStat(process.pid);
  return stat !== null && stat.startTime === process.startTime && !stat.isZombie;
}

/** Whether a process has this text among its arguments. Throws if this cannot be determined. */
export function hasProcessWith(argument: string): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(argument);
    } catch (error) {
      // an unknown process must not count as gone; one that may not be read is another user's
      if (isResourceExhausted(error)) throw error;
      return false;
    }
  });
}

/** Linux reports start times in these ticks, on every architecture. */
const ticksPerSecond = 100;

/**
 * Returns for how long a process of this boot would have run by now, by a clock that nobody sets. Null if it cannot be
 * determined: a container may report an uptime of its own.
 */
export function readAgeMs({ startTime }: ProcessId): number | null {
  const ticks = readTicks();
  return ticks === null || ticks < startTime ? null : Math.round(((ticks - startTime) / ticksPerSecond) * 1_000);
}

/** Returns the ticks since boot; null if they cannot be determined. */
export function readTicks(): number | null {
  try {
    return Math.round(Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * ticksPerSecond);
  } catch {
    return null;
  }
}

export function readBootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
}

/** Signals exactly this process, never a later one with the same pid. */
export function signalProcess(target: ProcessId, signal: NodeJS.Signals): void {
  const stat = readStatIfPossible(target.pid);
  if (stat?.startTime === target.startTime && !stat.isZombie) send(target.pid, signal);
}

/** Signals the group if one of the given processes is still in it: then the group's number has not been reused. */
export function signalGroup(group: number, witnesses: Iterable<ProcessId>, signal: NodeJS.Signals): void {
  for (const witness of witnesses) {
    const stat = readStatIfPossible(witness.pid);
    if (stat?.startTime === witness.startTime && stat.group === group) return send(-group, signal);
  }
}

/**
 * Reads the state of a process; null also if it cannot be checked. It is then not signalled, and the caller tries
 * again.
 */
function readStatIfPossible(pid: number): ProcessStat | null {
  try {
    return readStat(pid);
  } catch {
    return null;
  }
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // it has just ended, or runs as another user: the caller's next scan shows which
  }
}

/**
 * Whether a child of this process is a zombie. Its pid is not reused before its exit event. An unknown state counts as
 * running.
 */
export function isZombie({ pid }: ProcessId): boolean {
  try {
    return readStat(pid)?.isZombie ?? true;
  } catch {
    return false;
  }
}
