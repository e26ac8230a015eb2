import { execFile } from "node:child_process";
import { closeSync, constants, openSync, unlink } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** One end for the task, which blocks as programs expect, and one for the runner, which must never block. */
export interface Pipe {
  readonly task: number;
  readonly own: number;
}

export interface InputPipe extends Pipe {
  /** Refers to the pipe without being one of its ends, so that it can be opened again without its name. */
  readonly handle: number;
}

/** Linux: opens a reference to a file, for neither reading nor writing. Node has no constant for it. */
const O_PATH = 0o10000000;

const batch = 256;
const spareMin = 96;

/**
 * Creates real pipes. Node cannot call pipe(2), and its own `pipe` is a pair of sockets, on which a script's `>
 * /dev/stderr` fails. So a named pipe is opened at both ends and then unlinked. It is never used twice: a process left
 * behind may still hold its other end. Named pipes are created in batches, ahead of need.
 */
export class Pipes {
  readonly #folder: string;
  #made = 0;
  #spare: string[] = [];
  #making: Promise<void> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#makeMore();
  }

  /** Replaces all spare pipes, after their folder was removed and created again. */
  renew(): void {
    this.#spare = [];
    this.#makeMore();
  }

  /** Returns a pipe that the task writes and the runner reads. */
  takeOutput(): Promise<Pipe> {
    return this.#take((path, open) => {
      const own = open(path, O_RDONLY | O_NONBLOCK);
      return { own, task: open(path, O_WRONLY) };
    });
  }

  /**
   * Returns a pipe that the runner writes and the task reads. Opening either end blocks until the other is open, so a
   * third descriptor briefly opens both.
   */
  takeInput(): Promise<InputPipe> {
    return this.#take((path, open) => {
      const handle = open(path, O_PATH);
      const both = open(path, O_RDWR | O_NONBLOCK);
      const pipe = { handle, task: open(path, O_RDONLY), own: open(path, O_WRONLY | O_NONBLOCK) };
      closeSync(both);
      return pipe;
    });
  }

  async #take<TPipe>(openEnds: (path: string, open: typeof openSync) => TPipe): Promise<TPipe> {
    const path = await this.#takeName();
    const opened: number[] = [];
    try {
      return openEnds(path, (...how) => {
        const fd = openSync(...how);
        opened.push(fd);
        return fd;
      });
    } catch (error) {
      for (const fd of opened) closeSync(fd);
      throw error;
    } finally {
      unlink(path, () => {});
    }
  }

  async #takeName(): Promise<string> {
    for (;;) {
      const name = this.#spare.pop();
      if (this.#spare.length < spareMin) this.#makeMore();
      if (name !== undefined) return name;
      await this.#making;
    }
  }

  #makeMore(): void {
    if (this.#making !== null) return;
    const names = Array.from({ length: batch }, () => join(this.#folder, String(this.#made++)));
    this.#making = makeNamedPipes(names).then(
      () => {
        this.#spare.unshift(...names);
        this.#making = null;
      },
      (error: unknown) => {
        this.#making = null;
        throw error;
      },
    );
    // callers that wait for a name get the error; without one, the next caller tries again
    this.#making.catch(() => {});
  }
}

async function makeNamedPipes(paths: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
  } catch (error) {
    for (const path of paths) unlink(path, () => {});
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).split("\n")[0] : "";
    throw said === "" ? error : new Error(said, { cause: error });
  }
}
