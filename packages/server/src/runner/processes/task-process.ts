import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import type { AttemptSpec } from "../protocol/messages.ts";
import { type ProcessId, readStat } from "./processes.ts";
import { errorCode } from "../system-error.ts";

export interface TaskProcess {
  readonly id: ProcessId;
  readonly exited: Promise<Exit>;
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The task's ends of its pipes; a null standard input is empty. */
export interface TaskEnds {
  readonly stdin: number | null;
  readonly stdout: number;
  readonly stderr: number;
}

/** Starts the program in its own session and process group. It inherits only the runner's limits and umask. */
export async function startTaskProcess(spec: AttemptSpec, ends: TaskEnds): Promise<TaskProcess> {
  const child = spawn(spec.program, spec.arguments, {
    cwd: spec.directory,
    env: spec.environment,
    detached: true,
    stdio: [ends.stdin ?? "ignore", ends.stdout, ends.stderr],
  });
  if (child.pid === undefined) throw await failureOf(child);
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return { id: { pid: child.pid, startTime: readStartTime(child.pid) }, exited };
}

/**
 * Resolves with the failure of a start. `spawn` throws some failures immediately, and reports the others by this event.
 */
async function failureOf(child: ChildProcess): Promise<unknown> {
  const [error] = (await once(child, "error")) as [unknown];
  return error;
}

/**
 * Reads the start time in the turn of the start. The pid cannot have been reused yet, because the process cannot have
 * been reaped. Returns 0, which no process has, if the system lacks the resources: then only the mark identifies the
 * process.
 */
function readStartTime(pid: number): number {
  try {
    return readStat(pid)!.startTime;
  } catch {
    return 0;
  }
}

/**
 * Describes a failed start for people. The system reports ENOENT for a missing directory as for a missing program, so both
 * are checked. Node's message about a bad argument is left out: it quotes the argument, which may be a secret.
 */
export async function explainFailedStart(error: unknown, spec: AttemptSpec): Promise<string> {
  const code = errorCode(error);
  const syscall = error instanceof Error && "syscall" in error ? String(error.syscall) : "";
  if (!syscall.startsWith("spawn") && !code.startsWith("ERR_")) return error instanceof Error ? error.message : code;
  const isDirectoryAtFault = await access(`${spec.directory}/.`, constants.X_OK).then(
    () => false,
    (found: unknown) => errorCode(found) === code,
  );
  return `${code}: ${isDirectoryAtFault ? `working directory ${spec.directory}` : spec.program}`;
}
