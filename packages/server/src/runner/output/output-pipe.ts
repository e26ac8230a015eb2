import { Socket } from "node:net";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import { countBytesIn } from "../processes/libc.ts";
import type { OpenFiles } from "../processes/limits.ts";
import type { KeptOutput } from "./kept-output.ts";

/** Bytes that a process left behind writes meanwhile are kept up to this many. */
const laterBytesMax = 256 * 1024;
/** Pause between two looks at a pipe that is being emptied. */
const lookAgainMs = 20;

/**
 * Reads a task's output into its kept files. The pipe is paused during each write, so that a slow disk delays only tasks that
 * write much. After `drop` the pipe is read but not kept, so that a process left behind never dies of SIGPIPE.
 */
export class OutputPipe {
  /** Resolves when every process has closed its end, and all read bytes are kept. */
  readonly closed: Promise<void>;
  /** Null once nothing is kept any more: a process left behind may run for long. */
  #kept: Pick<KeptOutput, "add"> | null;
  readonly #fd: number;
  #socket: Socket;
  readonly #ended = Promise.withResolvers<void>();
  #writing: Promise<void> | null = null;
  #taken = 0;

  constructor(fd: number, kept: Pick<KeptOutput, "add">) {
    this.#kept = kept;
    this.#fd = fd;
    this.#socket = new Socket({ fd, readable: true, writable: false });
    this.#socket.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#socket.on("error", () => {});
    this.#socket.once("close", this.#ended.resolve);
    this.closed = this.#ended.promise.then(async () => void (await this.#writing));
  }

  /**
   * Resolves once all bytes that were in the pipe at the time of the call are kept, however slow the disk, busy this process
   * or large the pipe.
   */
  async emptied(clock: Clock): Promise<void> {
    const enough = this.#taken + Math.max(laterBytesMax, this.#countUntaken());
    while (!this.#socket.destroyed && this.#taken < enough) {
      await this.#writing;
      await sleep(clock, lookAgainMs);
      if (this.#writing === null && this.#countUntaken() === 0) break;
    }
    await this.#writing;
  }

  /** Reads on without keeping anything, with little memory and a number that no task's start needs. */
  drop(openFiles: Pick<OpenFiles, "moveUp">): void {
    this.#kept = null;
    if (this.#socket.destroyed) return;
    this.#socket.removeAllListeners("data").resume();
    const moved = openFiles.moveUp(this.#fd);
    if (moved === null) return;
    const former = this.#socket;
    // the pipe always has a reader: its writer would die otherwise
    this.#socket = new Socket({ fd: moved, readable: true, writable: false, onread: droppingRead });
    this.#socket.on("error", () => {});
    this.#socket.once("close", this.#ended.resolve).resume();
    former.off("close", this.#ended.resolve).destroy();
  }

  /** Counts the bytes in the pipe and in the socket's buffer. */
  #countUntaken(): number {
    return this.#socket.destroyed ? 0 : this.#socket.readableLength + countBytesIn(this.#fd);
  }

  #take(chunk: Buffer): void {
    if (this.#kept === null) return;
    this.#taken += chunk.length;
    this.#socket.pause();
    this.#writing = this.#kept.add(chunk).then(() => {
      this.#writing = null;
      this.#socket.resume();
    });
  }
}

/** All dropped output is read into one buffer. */
const droppingRead = { buffer: Buffer.allocUnsafeSlow(64 * 1024), callback: () => true };
