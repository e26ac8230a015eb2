import { invalid } from "../../kernel/errors/errors.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/compile-timing.ts";

/** Rejects a schedule without future instants, with the member that prevents them. */
export function refuseNeverRuns(
  row: ScheduleRow,
  timingOf: (row: ScheduleRow) => Pick<CompiledTiming, "next">,
  now: Instant,
): void {
  const timing = timingOf(row);
  const { startsAt, endsAt } = row;
  if (endsAt !== null && endsAt <= now)
    throw invalid("ends_at", "ends_at is in the past, so the schedule would never run: give a later time");
  if (startsAt !== null && endsAt !== null && endsAt < startsAt) {
    throw invalid("ends_at", "ends_at is earlier than starts_at, so the schedule would never run: give a later time");
  }
  if (row.kind === "boot") return;
  if (row.kind === "once") refuseOnceOutside(row, now);
  if (timing.next(now) !== null) return;
  if (endsAt !== null && timingOf({ ...row, endsAt: null }).next(now) !== null)
    throw invalid(
      "ends_at",
      "ends_at is earlier than the next scheduled time, so the schedule would never run: give a later time",
    );
  if (row.kind === "cron")
    throw invalid(
      "expression",
      "expression has no scheduled time before the year 10000, so the schedule would never run: use an expression with a date that exists",
    );
  throw invalid(
    "starts_at",
    "starts_at leaves no scheduled time before the year 10000, so the schedule would never run: give an earlier time",
  );
}

function refuseOnceOutside({ at, startsAt, endsAt }: ScheduleRow, now: Instant): void {
  if (at === null) return;
  if (at <= now) throw invalid("at", "at is in the past: give a time in the future");
  if (startsAt !== null && at < startsAt)
    throw invalid("at", "at is earlier than starts_at, so the schedule would never run: give a later time");
  if (endsAt !== null && at > endsAt)
    throw invalid("at", "at is later than ends_at, so the schedule would never run: give an earlier time");
}
