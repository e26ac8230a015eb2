import type { Hint } from "@belfry/contract";
import type { EventsApi, Resync } from "../api/events.ts";
import { ConnectionError } from "../errors.ts";
import { SilenceError } from "../read-within.ts";
import { isTransient } from "../retry.ts";
import { sleep } from "../sleep.ts";

/** One reader of a client's stream. */
export interface FeedReader {
  /** Called for each event. A `resync` also follows each connection, and each join of a connected stream. */
  readonly onEvent: (event: Hint | Resync) => void;
  /** The stream broke, or could not be opened. It is tried again. All events until `since` have arrived. */
  readonly onBreak: (error: Error, since: Date) => void;
  /** The stream failed for good. The reader gets nothing more. */
  readonly onEnd: (error: Error) => void;
}

/** A connection that is opened again until its readers have left. */
interface Connection {
  readonly controller: AbortController;
  readonly done: Promise<void>;
  /** Ends the wait before the next try. */
  wake: () => void;
  isConnected: boolean;
  error: Error | null;
}

/**
 * The stream of events that all live lists of a client share: a browser opens only six connections to a server. It is open
 * while it has readers:
 *
 * - *closed*: nobody reads. A join changes it to *connecting*.
 * - *connecting*: it changes to *connected* with the first event, to *waiting* after a temporary failure, and to *closed*
 *   after any other failure.
 * - *connected*: events arrive. It changes to *waiting* when the stream ends or breaks.
 * - *waiting*: it changes to *connecting* after a delay, or at a `wake`.
 *
 * When the last reader leaves, it is *closed*.
 */
export class EventFeed {
  readonly #events: EventsApi;
  readonly #delayMs: (failures: number) => number;
  readonly #readers = new Set<FeedReader>();
  #connection: Connection | null = null;

  constructor(events: EventsApi, delayMs: (failures: number) => number) {
    this.#events = events;
    this.#delayMs = delayMs;
  }

  /** Adds a reader. Returns the function that removes it, which resolves when a stream that nobody reads has ended. */
  join(reader: FeedReader): () => Promise<void> {
    this.#readers.add(reader);
    const { isConnected, error } = (this.#connection ??= this.#open());
    if (isConnected) reader.onEvent({ kind: "resync", reason: "connected" });
    else if (error !== null) reader.onBreak(error, new Date());
    return async () => {
      const connection = this.#connection;
      this.#readers.delete(reader);
      if (this.#readers.size > 0 || connection === null) return;
      this.#connection = null;
      connection.controller.abort();
      await connection.done;
    };
  }

  /** Tries now to connect, if the next try waits. */
  wake(): void {
    this.#connection?.wake();
  }

  #open(): Connection {
    const controller = new AbortController();
    const start = Promise.withResolvers<void>();
    const connection: Connection = {
      controller,
      done: start.promise.then(() => this.#run(connection)),
      wake: () => undefined,
      isConnected: false,
      error: null,
    };
    start.resolve();
    return connection;
  }

  async #run(connection: Connection): Promise<void> {
    const { signal } = connection.controller;
    for (let failures = 1; ; failures += 1) {
      const error = await this.#follow(connection, () => (failures = 1));
      if (signal.aborted) return;
      connection.isConnected = false;
      connection.error = error;
      if (!isTransient(error)) return this.#end(error);
      const since = new Date(Date.now() - (error instanceof SilenceError ? error.silenceMs : 0));
      for (const { onBreak } of this.#readers) onBreak(error, since);
      await this.#wait(connection, this.#delayMs(failures));
      if (signal.aborted) return;
    }
  }

  /** Follows one stream to its end. Returns why it ended. */
  async #follow(connection: Connection, onConnect: () => void): Promise<Error> {
    const { signal } = connection.controller;
    try {
      for await (const event of this.#events.subscribe({ signal, reconnect: false })) {
        if (event.kind === "resync" && event.reason === "connected") {
          connection.isConnected = true;
          onConnect();
        }
        for (const { onEvent } of this.#readers) onEvent(event);
      }
      return new ConnectionError("The daemon ended the event stream.");
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #wait(connection: Connection, ms: number): Promise<void> {
    const waiting = new AbortController();
    connection.wake = () => waiting.abort();
    await sleep(ms, AbortSignal.any([waiting.signal, connection.controller.signal]));
    connection.wake = () => undefined;
  }

  #end(error: Error): void {
    const readers = [...this.#readers];
    this.#readers.clear();
    this.#connection = null;
    for (const { onEnd } of readers) onEnd(error);
  }
}
