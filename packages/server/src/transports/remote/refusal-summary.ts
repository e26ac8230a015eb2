import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop } from "../../kernel/time/loop.ts";

/** What happened to a caller without a valid access token. */
export type Refused =
  | "unauthorized"
  | "credential_revoked"
  | "not_found"
  | "enrollments_refused"
  | "rate_limited"
  | "connections_dropped"
  | "handshakes_failed";

export type RefusalSummary = ReturnType<typeof createRefusalSummary>;

const everyMs = 60_000;

/** Logs refusals as one line a minute: a line for each would let strangers push all others out of the log. */
export function createRefusalSummary(clock: Clock, log: Log) {
  const counts = new Map<Refused, number>();
  const loop = createLoop({ clock, round: write });

  return {
    count: (refused: Refused): void => {
      if (counts.size === 0) loop.wakeWithin(everyMs);
      counts.set(refused, (counts.get(refused) ?? 0) + 1);
    },
    stop: async (): Promise<void> => {
      await loop.stop();
      write();
    },
  };

  function write(): null {
    if (counts.size > 0) log.warn("remote.refused", Object.fromEntries(counts));
    counts.clear();
    return null;
  }
}
