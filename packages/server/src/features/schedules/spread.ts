import { limits } from "@belfry/contract";
import { fixedFraction } from "../../kernel/random.ts";
import { type Instant, lastInstant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/compile-timing.ts";
import type { Zone } from "./timing/zone.ts";

type SpreadColumns = Pick<ScheduleRow, "id" | "kind" | "everyMs" | "spread">;

export interface SpreadOf {
  readonly timing: Pick<CompiledTiming, "next" | "count">;
  readonly zone: Pick<Zone, "spanAt">;
  readonly now: Instant;
}

const yearMs = 366 * 86_400_000;
/** Of a schedule with at most so many times in a year, such as an hourly one, all are compared. */
const comparedMax = 10_000;
/** The times of more than an hour, unless two of them are a second apart. Each hour of a frequent schedule is alike. */
const comparedOfFrequent = 2_000;
/** How far before and after a clock change the times are compared. */
const aroundChangeMs = 2 * 3_600_000;
/** Cron expressions have whole seconds. */
const gapMinMs = 1_000;

/**
 * Returns the constant delay of a schedule: a share of the smallest time between two of its instants, so that no run is
 * due after the next instant. The id decides the share, so schedules with the same times are due at different times.
 */
export function spreadMsOf(row: SpreadColumns, of: () => SpreadOf): number {
  if (!row.spread) return 0;
  const gapMs = row.kind === "interval" ? (row.everyMs ?? 0) : smallestGapMs(of());
  return Math.floor(fixedFraction(row.id, "spread") * Math.min(gapMs, limits.spreadMaxMs));
}

/**
 * Searches the next year for the smallest time between two instants, up to the longest spread. Of a frequent schedule it
 * compares the first instants, and those around each clock change, because the pattern changes nowhere else.
 */
function smallestGapMs({ timing, zone, now }: SpreadOf): number {
  const until = Math.min(now + yearMs, lastInstant);
  if (timing.count(now, until) <= comparedMax) return smallestGapIn(timing, { from: now, until, count: comparedMax });
  let gapMs = smallestGapIn(timing, { from: now, until, count: comparedOfFrequent });
  for (const change of listClockChanges(zone, now, until)) {
    const aroundMs = Math.min(aroundChangeMs, (gapMs * comparedOfFrequent) / 2);
    const span = { from: change - aroundMs, until: change + aroundMs, count: comparedOfFrequent };
    gapMs = Math.min(gapMs, smallestGapIn(timing, span));
  }
  return gapMs;
}

/** Lists when the zone's offset changes in (after, until). */
function listClockChanges(zone: Pick<Zone, "spanAt">, after: Instant, until: Instant): readonly Instant[] {
  const changes: Instant[] = [];
  for (let span = zone.spanAt(after); span.until < until;) {
    const next = zone.spanAt(span.until);
    if (next.offsetMs !== span.offsetMs) changes.push(next.from);
    span = next;
  }
  return changes;
}

interface Compared {
  readonly from: Instant;
  readonly until: Instant;
  readonly count: number;
}

function smallestGapIn(timing: Pick<CompiledTiming, "next">, { from, until, count }: Compared): number {
  let gapMs: number = limits.spreadMaxMs;
  let before: Instant | null = null;
  let at = timing.next(from);
  for (let seen = 0; at !== null && at <= until && seen < count && gapMs > gapMinMs; seen++) {
    if (before !== null) gapMs = Math.min(gapMs, at - before);
    before = at;
    at = timing.next(at);
  }
  return gapMs;
}
