import { makePipe } from "../processes/libc.ts";

/** One end for the task, which blocks as programs expect, and one for the runner, whose socket makes it never block. */
export interface Pipe {
  readonly task: number;
  readonly own: number;
}

/**
 * Creates a pipe that the task writes and the runner reads. It is a real one: Node's own `pipe` is a pair of sockets, on
 * which a script's `> /dev/stderr` fails.
 */
export function makeOutputPipe(): Pipe {
  const { read, write } = makePipe();
  return { own: read, task: write };
}

/** Creates a pipe that the runner writes and the task reads. */
export function makeInputPipe(): Pipe {
  const { read, write } = makePipe();
  return { own: write, task: read };
}
