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

/** The task's own ends of its pipes; a null standard input is empty. */
export interface TaskEnds {
  readonly stdin: number | null;
  readonly stdout: number;
  readonly stderr: number;
}

/** Starts the program in a session and process group of its own, with nothing of the runner's but its limits and umask. */
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

/** Some failures spawn throws at once, the others it tells by an event. */
async function failureOf(child: ChildProcess): Promise<unknown> {
  const [error] = (await once(child, "error")) as [unknown];
  return error;
}

/**
 * Asked in the turn of the start, before the process can have been reaped, so that the pid is certainly still its own.
 * 0, which is nobody's, when the system has no room even for that: the process is then known by its mark alone.
 */
function readStartTime(pid: number): number {
  try {
    return readStat(pid)!.startTime;
  } catch {
    return 0;
  }
}

/**
 * What to tell people of a failed start. The system says ENOENT of a missing directory as of a missing program, so it is
 * found out which. Node's own words about a bad argument are left out: they quote it, and it may be a secret.
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
