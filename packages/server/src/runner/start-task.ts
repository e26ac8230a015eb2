import { closeSync } from "node:fs";
import { Socket } from "node:net";
import type { AttemptSpec } from "./messages.ts";
import type { Pipe, Pipes } from "./pipes.ts";
import { TaskOutput, type TaskOutputOptions } from "./task-output.ts";
import { startTaskProcess, type TaskProcess } from "./task-process.ts";

export interface StartOptions extends TaskOutputOptions {
  readonly pipes: Pipes;
  /** Asked right before the program is started. */
  readonly isWanted: () => boolean;
  /** Keeps the runner alive until it settles. */
  readonly hold: (until: Promise<unknown>) => void;
}

export interface StartedTask {
  readonly process: TaskProcess;
  readonly output: TaskOutput;
}

/** Starts a task on pipes of its own; null when it is not wanted any more. Whatever can fail, fails before it runs. */
export async function startTask(spec: AttemptSpec, options: StartOptions): Promise<StartedTask | null> {
  using taskEnds = new DisposableStack();
  using ownEnds = new DisposableStack();
  const take = async (taking: Promise<Pipe>): Promise<Pipe> => {
    const pipe = await taking;
    taskEnds.defer(() => closeSync(pipe.task));
    ownEnds.defer(() => closeSync(pipe.own));
    return pipe;
  };
  const stdin = spec.standardInput === null ? null : await take(options.pipes.takeInput());
  const stdout = await take(options.pipes.takeOutput());
  const stderr = await take(options.pipes.takeOutput());
  if (!options.isWanted()) return null;

  const output = new TaskOutput({ stdout: stdout.own, stderr: stderr.own }, options);
  options.hold(output.closed);
  const input = stdin === null ? null : new Socket({ fd: stdin.own, readable: false, writable: true });
  ownEnds.move();
  // a task that does not read its input, or not to the end, does nothing wrong
  input?.on("error", () => {}).end(Buffer.from(spec.standardInput ?? "", "base64"));
  const process = await startTaskProcess(spec, {
    stdin: stdin?.task ?? null,
    stdout: stdout.task,
    stderr: stderr.task,
  });
  return { process, output };
}
