import { CronError } from "./timing/cron-error.ts";
import { type CompiledTiming, compileTiming, type Timing } from "./timing/next-occurrence.ts";
import { fixedFraction } from "../../kernel/random.ts";
import { invalid } from "../../kernel/errors.ts";
import { invariant } from "../../kernel/invariant.ts";
import type { Instant } from "../../kernel/time.ts";
import type { ScheduleRow } from "./table.ts";
import { canonicalZoneName, ZoneError } from "./timing/zone.ts";

/** What of a row decides when it falls due. */
export type TimingColumns = Pick<
  ScheduleRow,
  "kind" | "expression" | "everyMs" | "at" | "dstGap" | "dstOverlap" | "startsAt" | "endsAt" | "anchorAt"
>;

export type Timings = ReturnType<typeof createTimings>;

/** Compiled timings, kept as long as nothing they are made of changes: a schedule is asked far more often than changed. */
export function createTimings() {
  const kept = new Map<string, { readonly signature: string; readonly timing: CompiledTiming }>();
  return {
    of: (row: ScheduleRow, zone: string): CompiledTiming => {
      const timing = timingOf(row, zone);
      const signature = JSON.stringify(timing);
      const former = kept.get(row.id);
      if (former?.signature === signature) return former.timing;
      const compiled = compileTiming(timing);
      kept.set(row.id, { signature, timing: compiled });
      return compiled;
    },
    drop: (id: string): void => void kept.delete(id),
  };
}

/** A boot schedule has no instants of its own: one that never comes stands for it. */
function timingOf(row: TimingColumns, zone: string): Timing {
  const bounds = { zone, startsAt: row.startsAt, endsAt: row.endsAt };
  switch (row.kind) {
    case "cron":
      invariant(row.expression !== null, "a cron schedule has an expression");
      return { ...bounds, kind: "cron", expression: row.expression, dst: { gap: row.dstGap, overlap: row.dstOverlap } };
    case "interval":
      invariant(row.everyMs !== null, "an interval schedule has a length");
      return { ...bounds, kind: "interval", everyMs: row.everyMs, firstAt: row.anchorAt };
    case "once":
      invariant(row.at !== null, "a once schedule has an instant");
      return { ...bounds, kind: "once", at: row.at };
    case "boot":
      return { ...bounds, kind: "once", at: 0, startsAt: 1 };
  }
}

/** For what a person wrote: the error names the member and says what is wrong with it. */
export function compileInput(row: TimingColumns, zone: string, fieldPrefix = ""): CompiledTiming {
  try {
    return compileTiming(timingOf(row, zone));
  } catch (error) {
    if (error instanceof CronError) throw invalid(`${fieldPrefix}expression`, error.message);
    if (error instanceof ZoneError) throw invalid(`${fieldPrefix}time_zone`, error.message);
    throw error;
  }
}

/** The zone's own spelling of its name. */
export function checkZone(zone: string, field: string): string {
  try {
    return canonicalZoneName(zone);
  } catch (error) {
    if (error instanceof ZoneError) throw invalid(field, error.message);
    throw error;
  }
}

/** Uniform in 0..jitter, and always the same for the same schedule and instant. */
export function dueOf(row: Pick<ScheduleRow, "id" | "jitterMs">, instant: Instant): Instant {
  return row.jitterMs === 0
    ? instant
    : instant + Math.floor(fixedFraction(row.id, String(instant)) * (row.jitterMs + 1));
}
