import type { EventKind, Hello, Hint } from "@belfry/contract";
import type { Caller } from "../caller.ts";
import type { CallOptions } from "../options.ts";
import { isTransient } from "../retry.ts";
import { readEvents, type ServerEvent } from "../server-events.ts";
import { sleep } from "../sleep.ts";

/** Events may have been missed: reload the state that you keep. */
export interface Resync {
  readonly kind: "resync";
  /** `connected`: the stream started, for the first time or again. `gap`: the number in an event's id did not follow the number before it, so events were missed. `overflow`: the client was too slow. */
  readonly reason: "connected" | "gap" | "overflow";
}

/** The options of a subscription. */
export interface SubscribeOptions extends CallOptions {
  /** The kinds of events to receive, at least one. Default: all. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** Called each time the stream starts, with the daemon's epoch and capabilities. */
  readonly onConnect?: ((hello: Hello) => void) | undefined;
  /** Whether a stream that ends or breaks is opened again. If false, the subscription ends with the stream, or throws. Default true. */
  readonly reconnect?: boolean | undefined;
}

/** The events of a subscription, and a `resync` item whenever events may have been missed. */
export type Subscription = AsyncGenerator<Hint | Resync, void, undefined>;

/**
 * Events about changes. A subscription is always in one of three states:
 *
 * - *connecting*: it requests a stream. It changes to *reading* when the stream opens, and to *waiting* after a temporary
 *   failure. Any other failure ends the subscription with an error.
 * - *reading*: it yields the events. It yields a `resync` item for `hello` (events are not replayed), for a gap in the
 *   numbering, and for the daemon's `resync`. When the stream ends, breaks or is silent for long, it changes to *waiting*.
 * - *waiting*: it waits for a random delay, which grows with each failure and is short again after a stream. Then it changes
 *   to *connecting*.
 *
 * Aborting `signal`, or leaving the loop, ends the subscription without an error in every state.
 */
export class EventsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Yields an event for each change, until the reader stops. Reconnects by itself. An event may be outdated: read the
   * resource again. A newer daemon may send kinds that are not typed here. `GET /v1/events`
   *
   * ```ts
   * for await (const event of client.events.subscribe({ kinds: ["run"] })) {
   *   if (event.kind === "resync") await refreshAll();
   *   else await refreshRun(event.id);
   * }
   * ```
   */
  async *subscribe({ kinds, onConnect, reconnect = true, ...options }: SubscribeOptions = {}): Subscription {
    // an empty list would be sent as one kind with an empty name
    if (kinds?.length === 0)
      throw new TypeError("kinds is an empty list. Name at least one kind, or omit kinds to receive all.");
    const query = kinds === undefined ? {} : { kinds: kinds.join(",") };
    const isAborted = () => options.signal?.aborted === true;
    for (let failures = 0; !isAborted();) {
      try {
        const response = await this.#caller.stream("events.subscribe", { query, options });
        for await (const item of toItems(readEvents(response, { hasHeartbeats: true }), onConnect)) {
          failures = 0;
          yield item;
        }
      } catch (error) {
        if (isAborted()) return;
        if (!reconnect || !isTransient(error)) throw error;
      }
      if (!reconnect) return;
      failures += 1;
      await sleep(this.#caller.delayMs(failures), options.signal);
    }
  }
}

/** The data of an event is not checked at run time; its type comes from the contract. */
async function* toItems(events: AsyncIterable<ServerEvent>, onConnect: SubscribeOptions["onConnect"]): Subscription {
  let lastId: string | null = null;
  for await (const { event, id, data } of events) {
    if (event === "hello") {
      onConnect?.(data as Hello);
      yield { kind: "resync", reason: "connected" };
    } else if (event === "resync") {
      yield { kind: "resync", reason: "overflow" };
    } else {
      if (!isNext(lastId, id)) yield { kind: "resync", reason: "gap" };
      yield data as Hint;
    }
    lastId = id ?? lastId;
  }
}

/** Ids are `<epoch>-<n>`, and n rises by one for each event that a client receives. */
function isNext(lastId: string | null, id: string | null): boolean {
  if (lastId === null || id === null) return false;
  const dash = lastId.lastIndexOf("-");
  return id === `${lastId.slice(0, dash)}-${Number(lastId.slice(dash + 1)) + 1}`;
}
