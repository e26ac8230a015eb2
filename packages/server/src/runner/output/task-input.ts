import { Socket } from "node:net";

/** Writes a task's standard input, then ends it. */
export class TaskInput {
  readonly #socket: Socket;

  constructor(fd: number) {
    this.#socket = new Socket({ fd, readable: false, writable: true });
    // a task need not read its input to the end
    this.#socket.on("error", () => {});
  }

  send(bytes: Uint8Array): void {
    this.#socket.end(bytes);
  }

  /** Closes the input: at the end of the attempt, and for a task that was not started. */
  close(): void {
    this.#socket.destroy();
  }
}
