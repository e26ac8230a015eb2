import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { InputPipe } from "./pipes.ts";
import { errorCode } from "../system-error.ts";

const reopenMinMs = 10;
const reopenMaxMs = 500;

/**
 * Writes a task's standard input, then ends it. A process that opens the named pipe again, as `cat /dev/stdin` does,
 * blocks until a writer opens it too; an anonymous pipe would not block it. So after the last byte the runner opens the
 * pipe for writing and closes it immediately, from time to time, while a process can read it. That unblocks such a
 * process, and every reader still sees the end.
 */
export class TaskInput {
  readonly #handle: number;
  readonly #clock: Clock;
  readonly #socket: Socket;
  #timer: Timer | null = null;
  #pauseMs = reopenMinMs;
  #isOpen = true;

  constructor(pipe: InputPipe, clock: Clock) {
    this.#handle = pipe.handle;
    this.#clock = clock;
    this.#socket = new Socket({ fd: pipe.own, readable: false, writable: true });
    // a task need not read its input to the end
    this.#socket.on("error", () => {});
    this.#socket.once("close", () => this.#reopenLater());
  }

  send(bytes: Uint8Array): void {
    this.#socket.end(bytes);
  }

  /** Closes the input: at the end of the attempt, and for a task that was not started. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#timer?.cancel();
    this.#socket.destroy();
    closeSync(this.#handle);
  }

  #reopenLater(): void {
    if (!this.#isOpen) return;
    this.#timer = this.#clock.after(this.#pauseMs, () => this.#reopen());
    this.#pauseMs = Math.min(this.#pauseMs * 2, reopenMaxMs);
  }

  #reopen(): void {
    try {
      closeSync(openSync(`/proc/self/fd/${this.#handle}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch (error) {
      // no reader is left
      if (errorCode(error) === "ENXIO") return this.close();
    }
    this.#reopenLater();
  }
}
