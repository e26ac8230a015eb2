import type { Instant } from "../../../kernel/time/time.ts";
import type { ClockGap } from "./clock-gap.ts";
import { parseCron } from "./cron.ts";
import { cronOccurrences } from "./cron-occurrences.ts";
import { type ClockChange, describeOccurrence, type OccurrenceDescription } from "./describe-occurrence.ts";
import { localTimes } from "./local-times.ts";
import { intervalOccurrences, type Occurrences, singleOccurrence } from "./occurrences.ts";
import type { DstPolicy } from "./dst.ts";
import { openZone, type Zone } from "./zone.ts";

export type { ClockChange, ClockGap };

interface Bounds {
  /** The zone of a cron expression's fields, and of every description in local time. */
  readonly zone: string;
  /** Both bounds are inclusive. */
  readonly startsAt: Instant | null;
  readonly endsAt: Instant | null;
}

/** When a schedule is due. A `boot` schedule has no instants. */
export type Timing = Bounds &
  (
    | { readonly kind: "cron"; readonly expression: string; readonly dst: DstPolicy }
    | { readonly kind: "interval"; readonly anchorAt: Instant; readonly everyMs: number }
    | { readonly kind: "once"; readonly at: Instant }
  );

/** A timing compiled for fast queries. All results are instants of the schedule, without jitter. */
export interface CompiledTiming {
  readonly next: (after: Instant) => Instant | null;
  /** Counts the instants in (after, until], without listing them. */
  readonly count: (after: Instant, until: Instant) => number;
  /** Lists the newest `limit` instants in (after, until], oldest first. */
  readonly last: (after: Instant, until: Instant, limit: number) => Instant[];
  readonly includes: (instant: Instant) => boolean;
  readonly describe: (instant: Instant) => OccurrenceDescription;
  /** Lists the first `limit` places in (after, until] where clocks go forward over local times of the schedule. */
  readonly gaps: (after: Instant, until: Instant, limit: number) => ClockGap[];
}

/**
 * Compiles a timing; throws a `CronError` or a `ZoneError`. A caller that has the open zone passes it, which saves a
 * read.
 */
export function compileTiming(timing: Timing, zone: Zone = openZone(timing.zone)): CompiledTiming {
  const occurrences = occurrencesOf(timing, zone);
  const startsAt = timing.startsAt ?? -Infinity;
  const endsAt = timing.endsAt ?? Infinity;
  const next = (after: Instant): Instant | null => occurrences.first(Math.max(after + 1, startsAt), endsAt + 1);
  return {
    next,
    count: (after, until) => occurrences.count(Math.max(after + 1, startsAt), Math.min(until, endsAt) + 1),
    last: (after, until, limit) => {
      const found: Instant[] = [];
      const from = Math.max(after + 1, startsAt);
      for (let end = Math.min(until, endsAt) + 1; found.length < limit;) {
        const instant = occurrences.last(from, end);
        if (instant === null) break;
        found.push(instant);
        end = instant;
      }
      return found.reverse();
    },
    includes: (instant) => next(instant - 1) === instant,
    describe: (instant) => describeOccurrence(instant, zone, occurrences),
    gaps: (after, until, limit) => occurrences.gaps(Math.max(after + 1, startsAt), Math.min(until, endsAt) + 1, limit),
  };
}

function occurrencesOf(timing: Timing, zone: Zone): Occurrences {
  switch (timing.kind) {
    case "cron": {
      const cron = parseCron(timing.expression);
      return cronOccurrences({ times: localTimes(cron), isHourWild: cron.isHourWild, zone, dst: timing.dst });
    }
    case "interval":
      return intervalOccurrences(timing.anchorAt, timing.everyMs);
    case "once":
      return singleOccurrence(timing.at);
  }
}
