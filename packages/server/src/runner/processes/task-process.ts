import { access, constants } from "node:fs/promises";
import type { Cgroups } from "./cgroups.ts";
import type { AttemptSpec } from "../protocol/messages.ts";
import { type Exit, startChild } from "./children.ts";
import type { StartPlan } from "../users/plan-start.ts";
import type { OpenFiles } from "./limits.ts";
import { type ProcessId, readStat } from "./processes.ts";
import { errorCode } from "../system-error.ts";
import { findFileAtFault } from "./interpreter.ts";

export interface TaskProcess {
  readonly pid: number;
  /** Its own cgroup; null if it has none. */
  readonly cgroup: string | null;
  readonly exited: Promise<Exit>;
}

/** The task's ends of its pipes; a null standard input is empty. */
export interface TaskEnds {
  readonly stdin: number | null;
  readonly stdout: number;
  readonly stderr: number;
}

/** Where the process begins. */
export interface StartPlace {
  readonly openFiles: OpenFiles;
  readonly cgroups: Cgroups | null;
  readonly onCgroup: (cgroup: string) => void;
}

/**
 * Starts the program in its own session and process group, and in its own cgroup if there is one. It inherits only the
 * runner's limits and umask.
 */
export function startTaskProcess(plan: StartPlan, ends: TaskEnds, place: StartPlace): TaskProcess {
  const { cgroups, openFiles, onCgroup } = place;
  const start = () => openFiles.start(() => startChild({ ...plan, files: [ends.stdin, ends.stdout, ends.stderr] }));
  const { started, cgroup } = cgroups?.start(start, onCgroup) ?? { started: start(), cgroup: null };
  return { ...started, cgroup };
}

/**
 * Reads the start time again of a child that has not been reaped, if it could not be read at the start. Returns null if it
 * still cannot be read.
 */
export function identifyChild({ pid, startTime }: ProcessId): ProcessId | null {
  const known = startTime || readStartTime(pid);
  return known === 0 ? null : { pid, startTime: known };
}

/**
 * Reads the start time of a child that has not been reaped: its pid cannot have been reused. Returns 0, which no process has,
 * if the system lacks the resources: then only the mark identifies the process.
 */
export function readStartTime(pid: number): number {
  try {
    return readStat(pid)!.startTime;
  } catch {
    return 0;
  }
}

/**
 * Describes a failed start for people. The system reports ENOENT for a missing directory or interpreter as for a missing
 * program, so all are checked.
 */
export async function explainFailedStart(error: unknown, spec: AttemptSpec): Promise<string> {
  const code = errorCode(error);
  const syscall = error instanceof Error && "syscall" in error ? String(error.syscall) : "";
  if (syscall !== "posix_spawn") return error instanceof Error ? error.message : code;
  const isDirectoryAtFault = await access(`${spec.directory}/.`, constants.X_OK).then(
    () => false,
    (found: unknown) => errorCode(found) === code,
  );
  if (isDirectoryAtFault) return `${code}: working directory ${spec.directory}`;
  return `${code}: ${await findFileAtFault({ ...spec, path: spec.environment["PATH"] }, code)}`;
}
