import { Socket } from "node:net";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import type { KeptOutput } from "./kept-output.ts";

/** More than a pipe, and what the socket has read ahead of us, can hold together. */
const heldBackBytesMax = 256 * 1024;
/** How long a pipe that was paused needs at most to hand over what it held back. */
const handOverMs = 20;

/**
 * Reads a task's output into its kept files. One write is in flight, the pipe paused meanwhile, so that a slow disk delays
 * only who writes much; and from `drop` on it is read and thrown away, so that a process left behind never dies of SIGPIPE.
 */
export class OutputPipe {
  /** Every process has closed its end, and all that was read is kept. */
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

  /** Resolves once everything that was in the pipe at the time of the call is kept, however slow the disk. */
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
