import { invalid } from "../../kernel/errors/errors.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import { fixedFraction } from "../../kernel/random.ts";
import { type Instant, lastInstant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";
import { CronError } from "./timing/cron-error.ts";
import { type CompiledTiming, compileTiming, type Timing } from "./timing/compile-timing.ts";
import { canonicalZoneName, goesForward, openZone, type Zone, ZoneError } from "./timing/zone.ts";

/** The columns that decide when a schedule is due. */
export type TimingColumns = Pick<
  ScheduleRow,
  | "kind"
  | "expression"
  | "everyMs"
  | "at"
  | "dstGap"
  | "dstOverlap"
  | "startsAt"
  | "endsAt"
  | "anchorAt"
  | "createdAt"
  | "cursorAt"
>;

/** The columns that decide how much later than its instant a run is due. */
export type Delayed = Pick<ScheduleRow, "id" | "jitterMs" | "spreadMs">;

export type Timings = ReturnType<typeof createTimings>;

const timingsKept = 20_000;

/** In a longer period, the clocks of most zones with daylight saving time go forward. */
const lookMaxMs = 183 * 86_400_000;

/** Caches compiled timings by their definition: schedules are read far more often than changed, and many are alike. */
export function createTimings() {
  const kept = new Map<string, CompiledTiming>();
  const zones = new Map<string, Zone>();

  /** Opens a zone. Its rules are read once, for all schedules in it. */
  const zoneOf = (name: string): Zone => {
    const zone = zones.get(name) ?? openZone(name);
    zones.set(name, zone);
    return zone;
  };
  const of = (row: TimingColumns, zoneName: string): CompiledTiming => {
    const timing = timingOf(row, zoneName);
    const key = JSON.stringify(timing);
    const former = kept.get(key);
    if (former !== undefined) return former;
    const compiled = compileTiming(timing, zoneOf(zoneName));
    if (kept.size >= timingsKept) kept.delete(kept.keys().next().value!);
    kept.set(key, compiled);
    return compiled;
  };

  return {
    of,
    zoneOf,
    /** Whether the clocks of any zone in use go forward in (after, until]. For a long period it returns true without a search. */
    hasClockGap: (after: Instant, until: Instant): boolean =>
      until - after > lookMaxMs || [...zones.values()].some((zone) => goesForward(zone, after, until)),
    /** Compiles a timing from user input; the error names the member and its fault. */
    check: (row: TimingColumns, zoneName: string): CompiledTiming => {
      try {
        return of(row, zoneName);
      } catch (error) {
        if (error instanceof CronError) throw invalid("expression", `expression ${error.message}`);
        // a group's zone, or the daemon's, which a newer time zone database lacks
        if (error instanceof ZoneError) throw invalid("time_zone", `time_zone ${error.message}`);
        throw error;
      }
    },
  };
}

/** Returns the timing of a schedule. A boot schedule has no instants, so it gets a timing that never occurs. */
function timingOf(row: TimingColumns, zone: string): Timing {
  const bounds = { zone, startsAt: row.startsAt, endsAt: Math.min(row.endsAt ?? lastInstant, lastInstant) };
  switch (row.kind) {
    case "cron":
      invariant(row.expression !== null, "a cron schedule has an expression");
      return { ...bounds, kind: "cron", expression: row.expression, dst: { gap: row.dstGap, overlap: row.dstOverlap } };
    case "interval": {
      invariant(row.everyMs !== null, "an interval schedule has a length");
      // the first instant comes one length after the creation, which is an anchor but no instant
      // if the clock was set back beyond the creation, the interval goes on from there, as a cron schedule does
      const startsAt = row.startsAt ?? Math.min(row.createdAt, row.cursorAt) + 1;
      return { ...bounds, startsAt, kind: "interval", everyMs: row.everyMs, anchorAt: row.anchorAt };
    }
    case "once":
      invariant(row.at !== null, "a once schedule has an instant");
      return { ...bounds, kind: "once", at: row.at };
    case "boot":
      return { ...bounds, kind: "once", at: 0, startsAt: 1 };
  }
}

/** Returns the canonical spelling of a zone's name. */
export function checkZone(zone: string, field: string): string {
  try {
    return canonicalZoneName(zone);
  } catch (error) {
    if (error instanceof ZoneError) throw invalid(field, `${field} ${error.message}`);
    throw error;
  }
}

/**
 * Returns when an instant is due: after the spread of its schedule, and a delay that is uniform in 0..jitter. Both are
 * always the same for the same schedule and instant.
 */
export function dueOf(row: Delayed, instant: Instant): Instant {
  const spread = instant + row.spreadMs;
  if (row.jitterMs === 0) return spread;
  return spread + Math.floor(fixedFraction(row.id, String(instant)) * (row.jitterMs + 1));
}
