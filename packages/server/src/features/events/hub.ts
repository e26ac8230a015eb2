import type { EventKind, Hint } from "@belfry/contract";
import { type Clock, soon } from "../../kernel/clock.ts";
import type { SseFrame } from "../../kernel/operation.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";

/** Subscribers served in one turn of the event loop: a thousand at once would hold it for milliseconds. */
const sliceSize = 100;

export interface HubParts {
  readonly clock: Clock;
  /** Names this start of the daemon: a subscriber that sees another one refreshes everything. */
  readonly epoch: string;
  readonly capabilities: () => readonly string[];
}

export type Hub = ReturnType<typeof createHub>;

/** Hints go out after commit, in order, to whoever listens now. They may be lost: every reader refreshes after connecting. */
export function createHub(parts: HubParts) {
  const subscribers = new Set<Subscriber>();
  const outbox: { readonly kind: EventKind; readonly json: string; readonly to: Iterator<Subscriber> }[] = [];
  let delivering = false;
  let closed = false;

  const deliver = (): void => {
    let served = 0;
    while (outbox.length > 0) {
      const { kind, json, to } = outbox[0]!;
      for (let next = to.next(); !next.done; next = to.next()) {
        next.value.offer(kind, json);
        if (++served >= sliceSize) return soon(deliver);
      }
      outbox.shift();
    }
    delivering = false;
  };

  return {
    /** `make` is called only when somebody listens. */
    publish: (kind: EventKind, make: () => Hint | null): void => {
      if (![...subscribers].some((subscriber) => subscriber.wants(kind))) return;
      const hint = make();
      if (hint === null) return;
      outbox.push({ kind, json: JSON.stringify(hint), to: [...subscribers].values() });
      if (delivering) return;
      delivering = true;
      soon(deliver);
    },

    subscribe: (kinds: ReadonlySet<string> | null, signal: AbortSignal): AsyncIterable<readonly SseFrame[]> => {
      const hello = JSON.stringify({ epoch: parts.epoch, capabilities: parts.capabilities() });
      const subscriber = createSubscriber({
        clock: parts.clock,
        epoch: parts.epoch,
        kinds,
        hello,
        onEnd: () => subscribers.delete(subscriber),
      });
      if (closed || signal.aborted) subscriber.close();
      else subscribers.add(subscriber);
      signal.addEventListener("abort", subscriber.close, { once: true });
      return subscriber.batches;
    },

    get size(): number {
      return subscribers.size;
    },

    close: (): void => {
      closed = true;
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}
