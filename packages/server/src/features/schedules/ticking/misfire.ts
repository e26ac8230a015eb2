import type { Instant } from "../../../kernel/time/time.ts";
import { type FindRecordedSpan, withoutRecorded } from "./recorded-spans.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";

/** An instant that is later than this was missed. Within this time its run still starts, late. */
export const latenessMaxMs = 30_000;

export interface Moment {
  readonly now: Instant;
  /** Since when the daemon has run and the machine has not slept. Instants due before it were missed. */
  readonly awakeSince: Instant;
}

export interface MisfirePolicy {
  readonly policy: "run_once" | "run_all" | "skip";
  readonly windowMs: number;
  readonly runsMax: number;
}

/** One row to write: for its own instant, and for the instants before it that get no row. */
export interface PlannedRow {
  readonly instant: Instant;
  /** Missed without a run: a skipped row with the reason `misfire`. */
  readonly isSkipped: boolean;
  readonly coalesced: number;
  readonly coalescedFrom: Instant | null;
}

export interface Evaluation {
  readonly rows: readonly PlannedRow[];
  /** Every instant up to here is now in exactly one row. */
  readonly cursor: Instant;
}

export interface EvaluationInput {
  readonly timing: CompiledTiming;
  readonly cursor: Instant;
  readonly dueOf: (instant: Instant) => Instant;
  /** The longest delay between an instant and when it is due. */
  readonly delayMaxMs: number;
  readonly misfire: MisfirePolicy;
  readonly findRecordedSpan: FindRecordedSpan;
}

/**
 * Decides what to record for the instants that became due since the cursor. Pure. Instants are due in their own order:
 * one that its jitter delays beyond the next one delays the next one too. Instants that were certainly missed are
 * counted, not listed.
 */
export function evaluate(input: EvaluationInput, moment: Moment): Evaluation {
  const { timing, dueOf } = input;
  const missedBefore = missedBeforeOf(moment);
  let missedUntil = Math.max(input.cursor, missedBefore - input.delayMaxMs - 1);
  let cursor = missedUntil;
  const inTime: Instant[] = [];
  for (let at = timing.next(cursor); at !== null; at = timing.next(at)) {
    const due = dueOf(at);
    if (due > moment.now) break;
    if (due < missedBefore && inTime.length === 0) missedUntil = at;
    else inTime.push(at);
    cursor = at;
  }
  const open = withoutRecorded(timing, input.findRecordedSpan, input.cursor);
  const missed = rowsOfMissed(open, input.misfire, { from: input.cursor, until: missedUntil, now: moment.now });
  return { rows: [...missed, ...inTime.filter(open.includes).map((instant) => rowOf(instant))], cursor };
}

/** Returns the time before which due instants were missed. */
export function missedBeforeOf({ now, awakeSince }: Moment): Instant {
  return Math.min(now, Math.max(now - latenessMaxMs, awakeSince));
}

interface MissedSpan {
  /** The missed instants are after `from`, up to and including `until`. */
  readonly from: Instant;
  readonly until: Instant;
  readonly now: Instant;
}

function rowsOfMissed(
  timing: Pick<CompiledTiming, "next" | "count" | "last">,
  misfire: MisfirePolicy,
  span: MissedSpan,
): readonly PlannedRow[] {
  const count = timing.count(span.from, span.until);
  if (count === 0) return [];
  const runsMax = { run_once: 1, run_all: misfire.runsMax, skip: 0 }[misfire.policy];
  const insideFrom = Math.max(span.from, span.now - misfire.windowMs - 1);
  const inside = timing.last(insideFrom, span.until, runsMax);
  const own = inside.length > 0 ? inside : timing.last(span.from, span.until, 1);
  const coalesced = count - own.length;
  return own.map((instant, index) => ({
    ...rowOf(instant, inside.length === 0),
    ...(index === 0 && coalesced > 0 ? { coalesced, coalescedFrom: timing.next(span.from) } : {}),
  }));
}

function rowOf(instant: Instant, isSkipped = false): PlannedRow {
  return { instant, isSkipped, coalesced: 0, coalescedFrom: null };
}
