import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { InputPipe } from "./pipes.ts";
import { errorCode } from "../system-error.ts";

const knockMinMs = 10;
const knockMaxMs = 500;

/**
 * Writes a task's standard input, then ends it. Whoever opens a named pipe anew, as `cat /dev/stdin` does, waits until a
 * writer opens it too; a pipe without a name would not make them wait. So when all is written, a writer comes and goes at
 * once, now and then, for as long as somebody can read: that lets them in, and keeps no reader from the end.
 */
export class TaskInput {
  readonly #handle: number;
  readonly #clock: Clock;
  readonly #socket: Socket;
  #timer: Timer | null = null;
  #pauseMs = knockMinMs;
  #isOpen = true;

  constructor(pipe: InputPipe, clock: Clock) {
    this.#handle = pipe.handle;
    this.#clock = clock;
    this.#socket = new Socket({ fd: pipe.own, readable: false, writable: true });
    // a task that does not read its input, or not to the end, does nothing wrong
    this.#socket.on("error", () => {});
    this.#socket.once("close", () => this.#knockLater());
  }

  send(bytes: Uint8Array): void {
    this.#socket.end(bytes);
  }

  /** For the end of the attempt, and for a task that was not started. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#timer?.cancel();
    this.#socket.destroy();
    closeSync(this.#handle);
  }

  #knockLater(): void {
    if (!this.#isOpen) return;
    this.#timer = this.#clock.after(this.#pauseMs, () => this.#knock());
    this.#pauseMs = Math.min(this.#pauseMs * 2, knockMaxMs);
  }

  #knock(): void {
    try {
      closeSync(openSync(`/proc/self/fd/${this.#handle}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch (error) {
      // nobody is left who could read
      if (errorCode(error) === "ENXIO") return this.close();
    }
    this.#knockLater();
  }
}
