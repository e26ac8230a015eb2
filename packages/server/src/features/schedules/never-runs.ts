import { invalid } from "../../kernel/errors/errors.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/compile-timing.ts";

/** Rejects a schedule without future instants, with the member that prevents them. */
export function refuseNeverRuns(row: ScheduleRow, timing: CompiledTiming, now: Instant): void {
  const { startsAt, endsAt } = row;
  if (endsAt !== null && endsAt <= now)
    throw invalid("ends_at", "ends_at is in the past, so the schedule would never run: give a later time");
  if (startsAt !== null && endsAt !== null && endsAt < startsAt) {
    throw invalid("ends_at", "ends_at must not be earlier than starts_at: the schedule would never run");
  }
  if (row.kind === "boot") return;
  if (row.kind === "once") refuseOnceOutside(row, now);
  if (timing.next(now) !== null) return;
  if (endsAt !== null)
    throw invalid(
      "ends_at",
      "ends_at is earlier than the first scheduled time, so the schedule would never run: give a later time",
    );
  const [field, change] =
    row.kind === "cron"
      ? ["expression", "use an expression with a date that exists"]
      : ["starts_at", "give an earlier time"];
  throw invalid(
    field,
    `${field} has no scheduled time before the year 10000, so the schedule would never run: ${change}`,
  );
}

function refuseOnceOutside({ at, startsAt, endsAt }: ScheduleRow, now: Instant): void {
  if (at === null) return;
  if (at <= now) throw invalid("at", "at is in the past: give a time in the future");
  if (startsAt !== null && at < startsAt)
    throw invalid("at", "at must not be earlier than starts_at: the schedule would never run");
  if (endsAt !== null && at > endsAt)
    throw invalid("at", "at must not be later than ends_at: the schedule would never run");
}
