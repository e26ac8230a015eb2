import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop, type Next } from "../../kernel/time/loop.ts";
import { stateOf } from "./standing.ts";
import type { ActorStore } from "./store.ts";

/** The open streams of all transports, which this module closes. */
export interface Streams {
  /** The actors that have open streams. */
  readonly actorIds: () => ReadonlySet<string>;
  readonly closeOf: (actorId: string) => unknown;
}

export interface ExpiryParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<ActorStore, "find" | "listExpired" | "nextExpiry" | "hasExpiring">;
  readonly streams: Streams;
  /** Called for an actor that has expired. */
  readonly onExpired: (actorId: string) => void;
}

/** The longest delay after the wall clock was set; the loop itself waits no longer for a time. */
const clockCheckMs = 30_000;
const retryMs = 1_000;

/** Closes the streams of actors that expire. Everything else compares `expires_at` with the time of the call. */
export function createExpiry({ clock, log, store, streams, onExpired }: ExpiryParts) {
  let announcedUntil = clock.now();
  const loop = createLoop({
    clock,
    round,
    onFailure: (error) => {
      log.error("access.expiry_failed", { error: describeError(error) });
      return { afterMs: retryMs };
    },
  });
  return { ...loop, start: loop.wake };

  function round(): Next {
    const now = clock.now();
    // those with streams rather than those that expired since the last round, because the clock may have been set
    for (const actorId of streams.actorIds()) {
      const row = store.find(actorId);
      if (row === undefined || stateOf(row, now) !== "active") streams.closeOf(actorId);
    }
    for (const { id } of store.listExpired(announcedUntil, now)) onExpired(id);
    announcedUntil = now;
    const at = store.nextExpiry(now);
    if (at !== null) return { at };
    // a clock that is set back makes an expired actor active again
    return store.hasExpiring() ? { afterMs: clockCheckMs } : null;
  }
}
