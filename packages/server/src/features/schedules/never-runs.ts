import { invalid } from "../../kernel/errors/errors.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/compile-timing.ts";

/** Refuses a schedule none of whose instants lies ahead, by the member that keeps them from it. */
export function refuseNeverRuns(row: ScheduleRow, timing: CompiledTiming, now: Instant): void {
  const { startsAt, endsAt } = row;
  if (endsAt !== null && endsAt <= now) throw invalid("ends_at", "lies in the past: this schedule would never run");
  if (startsAt !== null && endsAt !== null && endsAt < startsAt) {
    throw invalid("ends_at", "lies before starts_at: this schedule would never run");
  }
  if (row.kind === "boot") return;
  if (row.kind === "once") refuseOnceOutside(row, now);
  if (timing.next(now) !== null) return;
  if (endsAt !== null) throw invalid("ends_at", "comes before the first run: this schedule would never run");
  throw invalid(row.kind === "cron" ? "expression" : "starts_at", "this schedule would never run");
}

function refuseOnceOutside({ at, startsAt, endsAt }: ScheduleRow, now: Instant): void {
  if (at === null) return;
  if (at <= now) throw invalid("at", "lies in the past: give a time ahead");
  if (startsAt !== null && at < startsAt) throw invalid("at", "lies before starts_at: this schedule would never run");
  if (endsAt !== null && at > endsAt) throw invalid("at", "lies after ends_at: this schedule would never run");
}
