import { Socket } from "node:net";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import type { KeptOutput } from "./kept-output.ts";

/** More than a pipe and the socket's read buffer can hold together. */
const heldBackBytesMax = 256 * 1024;
/** A paused pipe delivers its buffered bytes within this time after it resumes. */
const handOverMs = 20;

/**
 * Reads a task's output into its kept files. The pipe is paused during each write, so that a slow disk delays only tasks that
 * write much. After `drop` the pipe is read but not kept, so that a process left behind never dies of SIGPIPE.
 */
export class OutputPipe {
  /** Resolves when every process has closed its end, and all read bytes are kept. */
  readonly closed: Promise<void>;
  readonly #kept: Pick<KeptOutput, "add">;
  #writing: Promise<void> | null = null;
  #isClosed = false;
  #isDropping = false;
  #taken = 0;

  constructor(fd: number, kept: Pick<KeptOutput, "add">) {
    this.#kept = kept;
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.on("data", (chunk: Buffer) => this.#take(socket, chunk));
    socket.on("error", () => {});
    this.closed = new Promise<void>((resolve) => socket.once("close", () => resolve())).then(async () => {
      await this.#writing;
      this.#isClosed = true;
    });
  }

  /** Resolves once all bytes that were in the pipe at the time of the call are kept, however slow the disk. */
  async emptied(clock: Clock): Promise<void> {
    const enough = this.#taken + heldBackBytesMax;
    while (!this.#isClosed && this.#taken < enough) {
      await this.#writing;
      await sleep(clock, handOverMs);
      if (this.#writing === null) break;
    }
    await this.#writing;
  }

  drop(): void {
    this.#isDropping = true;
  }

  #take(socket: Socket, chunk: Buffer): void {
    if (this.#isDropping) return;
    this.#taken += chunk.length;
    socket.pause();
    this.#writing = this.#kept.add(chunk).then(() => {
      this.#writing = null;
      socket.resume();
    });
  }
}
