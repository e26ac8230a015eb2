import { closeSync } from "node:fs";
import type { AttemptSpec } from "../protocol/messages.ts";
import type { Pipe, Pipes } from "../output/pipes.ts";
import { TaskInput } from "../output/task-input.ts";
import { TaskOutput, type TaskOutputOptions } from "../output/task-output.ts";
import { startTaskProcess, type TaskProcess } from "./task-process.ts";

export interface StartOptions extends TaskOutputOptions {
  readonly pipes: Pipes;
  /** Whether the task is still wanted; checked right before the program is started. */
  readonly isWanted: () => boolean;
  /** Keeps the runner alive until it settles. */
  readonly hold: (until: Promise<unknown>) => void;
}

export interface StartedTask {
  readonly process: TaskProcess;
  readonly output: TaskOutput;
  readonly input: TaskInput | null;
}

/** Starts a task with its own pipes; null if it is no longer wanted. Every step that can fail comes before the program runs. */
export async function startTask(spec: AttemptSpec, options: StartOptions): Promise<StartedTask | null> {
  const { pipes, clock, hold, isWanted } = options;
  using taskEnds = new DisposableStack();
  using ownEnds = new DisposableStack();
  const take = async <TPipe extends Pipe>(taking: Promise<TPipe>): Promise<TPipe> => {
    const pipe = await taking;
    taskEnds.defer(() => closeSync(pipe.task));
    ownEnds.defer(() => closeSync(pipe.own));
    return pipe;
  };
  const stdout = await take(pipes.takeOutput());
  const stderr = await take(pipes.takeOutput());
  const stdin = spec.standardInput === null ? null : await take(pipes.takeInput());
  if (stdin !== null) ownEnds.defer(() => closeSync(stdin.handle));
  if (!isWanted()) return null;

  ownEnds.move();
  const output = new TaskOutput({ stdout: stdout.own, stderr: stderr.own }, options);
  hold(output.closed);
  const input = stdin === null ? null : new TaskInput(stdin, clock);
  try {
    const process = await startTaskProcess(spec, {
      stdin: stdin?.task ?? null,
      stdout: stdout.task,
      stderr: stderr.task,
    });
    input?.send(Buffer.from(spec.standardInput ?? "", "base64"));
    return { process, output, input };
  } catch (error) {
    input?.close();
    throw error;
  }
}
