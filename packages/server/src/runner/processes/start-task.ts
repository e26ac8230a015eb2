import { closeSync, fchownSync } from "node:fs";
import type { AttemptSpec } from "../protocol/messages.ts";
import { makeInputPipe, makeOutputPipe, type Pipe } from "../output/pipes.ts";
import { TaskInput } from "../output/task-input.ts";
import { TaskOutput, type TaskOutputOptions } from "../output/task-output.ts";
import type { StartPlan } from "../users/plan-start.ts";
import type { Cgroups } from "./cgroups.ts";
import type { OpenFiles } from "./limits.ts";
import { afterStarts, type Exit } from "./children.ts";
import type { ProcessId } from "./processes.ts";
import { readStartTime, startTaskProcess } from "./task-process.ts";

export interface StartOptions extends TaskOutputOptions {
  readonly openFiles: OpenFiles;
  readonly cgroups: Cgroups | null;
  /** Called with the attempt's own cgroup, right before its process begins there. */
  readonly onCgroup: (cgroup: string) => void;
  /** Whether the task is still wanted; checked right before the program is started. */
  readonly isWanted: () => boolean;
  /** Keeps the runner alive until it settles. */
  readonly hold: (until: Promise<unknown>) => void;
}

/** A task whose program runs. */
export interface StartedTask {
  readonly cgroup: string | null;
  /** The start by the wall clock, and by the monotonic clock. */
  readonly at: number;
  readonly sinceMs: number;
  readonly exited: Promise<Exit>;
  /** Resolves once the programs that are to start together with this one have started. */
  readonly attended: Promise<AttendedTask>;
}

/** A task whose process is identified, and whose output is read. */
export interface AttendedTask {
  readonly main: ProcessId;
  readonly output: TaskOutput;
  readonly input: TaskInput | null;
}

/** Starts a task with its own pipes; null if it is no longer wanted. Every step that can fail comes before the program runs. */
export function startTask(plan: StartPlan, spec: AttemptSpec, options: StartOptions): StartedTask | null {
  let started: StartedTask | null = null;
  try {
    started = options.isWanted() ? startPlanned(plan, spec, options) : null;
    return started;
  } finally {
    const users = started === null ? [] : [started.exited, started.attended.then(({ output }) => output.closed)];
    if (plan.discard !== null) void discardAfter(users, plan.discard);
  }
}

/** Removes what was made for the start, once neither the task nor a process that it left needs it. */
async function discardAfter(users: readonly Promise<unknown>[], discard: () => Promise<void>): Promise<void> {
  await Promise.all(users);
  await discard().catch(() => {});
}

function startPlanned(plan: StartPlan, spec: AttemptSpec, options: StartOptions): StartedTask {
  const { clock } = options;
  using taskEnds = new DisposableStack();
  using ownEnds = new DisposableStack();
  const take = (pipe: Pipe): Pipe => {
    taskEnds.defer(() => closeSync(pipe.task));
    ownEnds.defer(() => closeSync(pipe.own));
    // a task may open its own streams by name, as in `echo > /dev/stderr`
    if (plan.owner !== null) fchownSync(pipe.task, plan.owner.uid, plan.owner.gid);
    return pipe;
  };
  const stdout = take(makeOutputPipe());
  const stderr = take(makeOutputPipe());
  const stdin = spec.standardInput === null ? null : take(makeInputPipe());

  const inputBytes = Buffer.from(spec.standardInput ?? "", "base64");
  const ends = { stdin: stdin?.task ?? null, stdout: stdout.task, stderr: stderr.task };
  const at = clock.now();
  const sinceMs = clock.monotonicMs();
  const { pid, cgroup, exited } = startTaskProcess(plan, ends, options);
  ownEnds.move();
  const attend = (): AttendedTask => {
    const output = new TaskOutput({ stdout: stdout.own, stderr: stderr.own }, options);
    options.hold(output.closed);
    const input = stdin === null ? null : new TaskInput(stdin.own);
    input?.send(inputBytes);
    return { main: { pid, startTime: readStartTime(pid) }, output, input };
  };
  const attended = new Promise<AttendedTask>((resolve) => afterStarts(() => resolve(attend())));
  return { cgroup, at, sinceMs, exited, attended };
}
