import type { CompiledTiming } from "./timing/next-occurrence.ts";
import type { Instant } from "../../kernel/time.ts";

/** Later than this after it was due, an instant was missed; within it, it runs late. */
export const latenessMaxMs = 30_000;

export interface Moment {
  readonly now: Instant;
  /** Since when the daemon has run and the machine has not slept: what fell due before was missed. */
  readonly awakeSince: Instant;
}

export interface MisfirePolicy {
  readonly policy: "run_once" | "run_all" | "skip";
  readonly windowMs: number;
  readonly runsMax: number;
}

/** One row to be written: for its own instant, and for those before it that got none. */
export interface PlannedRow {
  readonly instant: Instant;
  readonly isMissed: boolean;
  /** A skipped row, reason `misfire`. */
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
  readonly jitterMs: number;
  readonly misfire: MisfirePolicy;
}

/**
 * What has fallen due since the cursor, and what becomes of it. Pure. Instants fall due in their own order: one that its
 * jitter delays beyond the next delays that one too. What certainly was missed is counted, not walked through.
 */
export function evaluate(input: EvaluationInput, moment: Moment): Evaluation {
  const { timing, dueOf } = input;
  const missedBefore = Math.max(moment.now - latenessMaxMs, moment.awakeSince);
  let missedUntil = Math.max(input.cursor, missedBefore - input.jitterMs - 1);
  let cursor = missedUntil;
  const onTime: PlannedRow[] = [];
  for (let at = timing.next(cursor); at !== null && at <= moment.now; at = timing.next(at)) {
    const due = dueOf(at);
    if (due > moment.now) break;
    if (due < missedBefore && onTime.length === 0) missedUntil = at;
    else onTime.push({ instant: at, isMissed: false, isSkipped: false, coalesced: 0, coalescedFrom: null });
    cursor = at;
  }
  const missed = rowsOfMissed(input, { from: input.cursor, until: missedUntil, now: moment.now });
  return { rows: [...missed, ...onTime], cursor: Math.max(cursor, input.cursor) };
}

function rowsOfMissed(
  { timing, misfire }: EvaluationInput,
  span: { readonly from: Instant; readonly until: Instant; readonly now: Instant },
): readonly PlannedRow[] {
  const count = timing.count(span.from, span.until);
  if (count === 0) return [];
  const first = timing.next(span.from);
  const insideFrom = Math.max(span.from, span.now - misfire.windowMs - 1);
  const wanted = { run_once: 1, run_all: misfire.runsMax, skip: 0 }[misfire.policy];
  const inside = wanted === 0 ? [] : timing.last(insideFrom, span.until, wanted);
  if (inside.length === 0) {
    const newest = timing.last(span.from, span.until, 1)[0]!;
    return [
      {
        instant: newest,
        isMissed: true,
        isSkipped: true,
        coalesced: count - 1,
        coalescedFrom: count === 1 ? null : first,
      },
    ];
  }
  const without = count - inside.length;
  return inside.map((instant, index) => ({
    instant,
    isMissed: true,
    isSkipped: false,
    coalesced: index === 0 ? without : 0,
    coalescedFrom: index === 0 && without > 0 ? first : null,
  }));
}
