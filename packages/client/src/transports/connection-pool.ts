import { AbortError, ConnectionError } from "../errors.ts";
import type { Connection } from "./connection.ts";

/** Opens a connection to the daemon, and checks the daemon. */
export type Open = (signal: AbortSignal) => Promise<Connection>;

interface Waiting {
  /** Gives the call a free connection, or null if the call has to open one. */
  readonly proceed: (connection: Connection | null) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Shares a few kept connections among calls. A call takes a free connection, or opens one, or waits for its turn. Node's
 * own agent does not count connections that are still being opened, so it would open one for each of a hundred calls.
 */
export class ConnectionPool {
  readonly #open: Open;
  readonly #connectionsMax: number;
  readonly #closing = new AbortController();
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  readonly #waiting = new Set<Waiting>();
  /** Calls that have a connection or are opening one. */
  #busy = 0;

  constructor(open: Open, connectionsMax: number) {
    this.#open = open;
    this.#connectionsMax = connectionsMax;
  }

  /** Returns a connection for one call. If it rejects, nothing was sent. */
  async acquire(signal: AbortSignal): Promise<Connection> {
    const given = this.#busy < this.#connectionsMax ? this.#enter() : await this.#wait(signal);
    if (given?.isOpen === true) return given;
    try {
      return await this.openAlone(signal);
    } catch (error) {
      this.#leave(null);
      throw error;
    }
  }

  /** Takes a connection back after its call. */
  release(connection: Connection): void {
    this.#leave(connection.isOpen ? connection : null);
  }

  /** Opens a connection for a stream. The pool neither counts it nor keeps it after the stream. */
  async openAlone(signal: AbortSignal): Promise<Connection> {
    const closing = this.#closing.signal;
    if (closing.aborted) throw clientClosed();
    const connection = await this.#open(AbortSignal.any([signal, closing])).catch((error: unknown) => {
      if (error instanceof AbortError) throw signal.aborted ? new AbortError(signal) : clientClosed();
      throw error;
    });
    this.#all.add(connection);
    connection.onClose(() => this.#all.delete(connection));
    return connection;
  }

  /** Closes all connections. Every later call fails. */
  close(): void {
    this.#closing.abort();
    for (const { fail } of this.#waiting) fail(clientClosed());
    for (const connection of this.#all) connection.close();
  }

  #enter(): Connection | null {
    this.#busy += 1;
    for (let last = this.#free.pop(); last !== undefined; last = this.#free.pop()) if (last.isOpen) return last;
    return null;
  }

  /** The next call takes over the place of the one that ends. */
  #leave(connection: Connection | null): void {
    const [next] = this.#waiting;
    if (next !== undefined) return next.proceed(connection);
    this.#busy -= 1;
    if (connection !== null) this.#free.push(connection);
  }

  #wait(signal: AbortSignal): Promise<Connection | null> {
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", abort);
      };
      const waiting: Waiting = {
        proceed: (connection) => {
          leaveLine();
          resolve(connection);
        },
        fail: (error) => {
          leaveLine();
          reject(error);
        },
      };
      const abort = () => waiting.fail(new AbortError(signal));
      this.#waiting.add(waiting);
      signal.addEventListener("abort", abort);
    });
  }
}

function clientClosed(): ConnectionError {
  const message = "This client is closed. Nothing was sent. Create another one with connectRemote.";
  return new ConnectionError(message, { code: "ERR_CLIENT_CLOSED" });
}
