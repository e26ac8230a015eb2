import type { EventKind, Hello, Hint } from "@belfry/contract";
import type { Caller } from "../caller.ts";
import { readEvents, type ServerEvent } from "../events.ts";
import type { CallOptions } from "../options.ts";
import { pause } from "../pause.ts";
import { isTransient } from "../retry.ts";

/** Three of the daemon's heartbeats. */
const silenceMaxMs = 45_000;

/** Hints may have been missed: read again whatever you keep. */
export interface Resync {
  readonly kind: "resync";
  /** `connected`: the stream begins, at first or again. `gap`: its numbering skipped. `overflow`: this reader was too slow. */
  readonly reason: "connected" | "gap" | "overflow";
}

/** Which hints, and how long. */
export interface SubscribeOptions extends CallOptions {
  /** Only these, at least one; all unless given. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** Called each time the stream begins, with what the daemon said of itself. */
  readonly onConnect?: ((hello: Hello) => void) | undefined;
}

/** Hints, and when they may have been missed. */
export type Subscription = AsyncGenerator<Hint | Resync, void, undefined>;

/**
 * What changes. A subscription is always in one of three states:
 *
 * - *connecting*: a stream is asked for. Opened: reading. Failed for a passing reason: waiting. Else it throws and is over.
 * - *reading*: `hello` gives a `resync` item, for there is no replay; so do a gap in the numbering and the daemon's own
 *   `resync`; every other event is a hint. An end, a break or a long silence: waiting.
 * - *waiting*: a jittered delay, longer after each failure, and short again once a stream was read. Then connecting.
 *
 * An aborted `signal` ends it quietly in every state; so does leaving the loop.
 */
export class EventsApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Hints about changes, for as long as they are read. A hint is never the truth: read the resource again. A newer daemon
   * may send kinds that are not typed here. `GET /v1/events`
   *
   * ```ts
   * for await (const hint of client.events.subscribe({ kinds: ["run"] })) {
   *   if (hint.kind === "resync") await refreshAll();
   *   else await refreshRun(hint.id);
   * }
   * ```
   */
  async *subscribe({ kinds, onConnect, ...options }: SubscribeOptions = {}): Subscription {
    // an empty list would be sent as one kind without a name
    if (kinds?.length === 0)
      throw new TypeError("kinds is an empty list: name a kind, or leave kinds out to have all.");
    const query = kinds === undefined ? {} : { kinds: kinds.join(",") };
    const isOver = () => options.signal?.aborted === true;
    for (let failures = 0; !isOver();) {
      try {
        const response = await this.#caller.stream("events.subscribe", { query, options });
        for await (const item of toItems(readEvents(response, silenceMaxMs), onConnect)) {
          failures = 0;
          yield item;
        }
      } catch (error) {
        if (isOver()) return;
        if (!isTransient(error)) throw error;
      }
      failures += 1;
      await pause(this.#caller.delayMs(failures), options.signal);
    }
  }
}

/** The data of an event is what the contract says it is; only types check that. */
async function* toItems(events: AsyncIterable<ServerEvent>, onConnect: SubscribeOptions["onConnect"]): Subscription {
  let former: string | null = null;
  for await (const { event, id, data } of events) {
    if (event === "hello") {
      onConnect?.(data as Hello);
      yield { kind: "resync", reason: "connected" };
    } else if (event === "resync") {
      yield { kind: "resync", reason: "overflow" };
    } else {
      if (!isNext(former, id)) yield { kind: "resync", reason: "gap" };
      yield data as Hint;
    }
    former = id ?? former;
  }
}

/** Ids are `<epoch>-<n>`, n rising by one for each subscriber. */
function isNext(former: string | null, id: string | null): boolean {
  if (former === null || id === null) return false;
  const cut = former.lastIndexOf("-");
  return id === `${former.slice(0, cut)}-${Number(former.slice(cut + 1)) + 1}`;
}
