import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop } from "../../kernel/time/loop.ts";

export interface RefusalSummary<Refused extends string> {
  readonly count: (refused: Refused) => void;
  readonly stop: () => Promise<void>;
}

export interface RefusalSummaryParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The name of the event in the log. */
  readonly event: string;
}

const everyMs = 60_000;

/** Logs refusals as one line a minute: a line for each would let strangers push all others out of the log. */
export function createRefusalSummary<Refused extends string>({
  clock,
  log,
  event,
}: RefusalSummaryParts): RefusalSummary<Refused> {
  const counts = new Map<Refused, number>();
  const loop = createLoop({ clock, round: write });

  return {
    count: (refused) => {
      if (counts.size === 0) loop.wakeWithin(everyMs);
      counts.set(refused, (counts.get(refused) ?? 0) + 1);
    },
    stop: async () => {
      await loop.stop();
      write();
    },
  };

  function write(): null {
    if (counts.size > 0) log.warn(event, Object.fromEntries(counts));
    counts.clear();
    return null;
  }
}
