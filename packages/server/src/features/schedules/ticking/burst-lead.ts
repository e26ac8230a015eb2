import type { CommitAt } from "../../../kernel/storage/write.ts";
import type { Clock } from "../../../kernel/time/clock.ts";
import type { Instant } from "../../../kernel/time/time.ts";
import type { ScheduleStore } from "../store.ts";

export interface BurstLeadParts {
  readonly clock: Clock;
  readonly store: Pick<ScheduleStore, "findNextDue" | "countDueAt">;
  /** The number of schedules that one write handles. */
  readonly batchSize: number;
}

/** Fewer schedules at one instant are handled at it. */
const burstMin = 20;
/** The longest time before its instant at which a burst is handled. Nothing else runs from then on until the commit. */
const leadMaxMs = 25;
/** Reserved for a timer that fires late. */
const marginMs = 1;

/**
 * Decides how long before its instant a burst is handled: many schedules that are due together. To write their rows takes
 * some milliseconds, in which no program would start. So the work is done before the instant, in one turn of the event
 * loop with the commit at the instant. Nobody can see rows before their instant, or change a schedule in between.
 */
export function createBurstLead({ clock, store, batchSize }: BurstLeadParts) {
  /** What one schedule took in the last bursts. */
  let costMs = 0.1;

  return {
    /** Returns the burst whose turn it is; null if there is none, or if other schedules are due now. */
    find: (): CommitAt | null => {
      const at = store.findNextDue();
      const beganAt = clock.now();
      if (at === null || at <= beganAt || at - beganAt > leadMaxMs) return null;
      const count = countAt(at);
      if (at - beganAt > leadOf(count)) return null;
      const onReady = (leftMs: number): void => {
        const tookMs = at - beganAt - leftMs;
        costMs += (tookMs / count - costMs) / 4;
      };
      return { at, onReady };
    },
    /** Returns when to begin the round for the schedules that are due next. */
    roundFor: (nextDue: Instant): Instant => nextDue - leadOf(countAt(nextDue)),
  };

  function countAt(at: Instant): number {
    return clock.block === undefined ? 0 : store.countDueAt(at, batchSize);
  }

  function leadOf(count: number): number {
    return count < burstMin ? 0 : Math.min(leadMaxMs, Math.ceil(count * costMs + marginMs));
  }
}
