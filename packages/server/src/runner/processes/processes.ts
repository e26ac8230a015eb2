import { readFileSync } from "node:fs";
import { isMissing } from "../system-error.ts";

/** Names one process within a boot: a pid is used again, a pid with its start time (clock ticks since boot) is not. */
export interface ProcessId {
  readonly pid: number;
  readonly startTime: number;
}

export interface ProcessStat extends ProcessId {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** A zombie: it runs no more, though its number stays taken until its parent has asked for its end. */
  readonly isZombie: boolean;
}

/** One line of `/proc/<pid>/stat`; the name in parentheses may hold anything, parentheses and line breaks included. */
export function parseStat(line: string): ProcessStat {
  const [state, parent, group, session, ...rest] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: Number(rest[15]),
    isZombie: state === "Z" || state === "X",
  };
}

/** Null when there is no such process. Throws when it cannot be known: not knowing must never pass for gone. */
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

export function readBootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
}

/** Signals that very process, never a later one with its number. */
export function signalProcess(target: ProcessId, signal: NodeJS.Signals): void {
  const stat = readStatIfPossible(target.pid);
  if (stat?.startTime === target.startTime && !stat.isZombie) send(target.pid, signal);
}

/** Signals the group when one of the given processes is still in it: as long as one is, the number is nobody else's. */
export function signalGroup(group: number, witnesses: Iterable<ProcessId>, signal: NodeJS.Signals): void {
  for (const witness of witnesses) {
    const stat = readStatIfPossible(witness.pid);
    if (stat?.startTime === witness.startTime && stat.group === group) return send(-group, signal);
  }
}

/** Nobody is signalled on a guess: who wants somebody gone comes back. */
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
    // it has just ended, or runs as somebody else: the next look at it tells
  }
}

/** Until its end has been told to this process, a child's pid is its own; unknown counts as running. */
export function isZombie({ pid }: ProcessId): boolean {
  try {
    return readStat(pid)?.isZombie ?? true;
  } catch {
    return false;
  }
}
