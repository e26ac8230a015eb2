import { formatInstant, type Instant } from "../../../kernel/time/time.ts";
import type { RunRow } from "../../runs/index.ts";
import { type Idle, idleOf, openEnd, withoutPastPause } from "../idle.ts";
import type { IdlePeriod, ScheduleRow } from "../table.ts";

// Every sentence of `why` about a schedule, without its full stop.

export const noRecord = "There is no record of this time: its history was deleted by retention";

export function unplannable(fault: string): string {
  return `The schedule cannot be planned: ${fault}`;
}

export function noScheduledTime(
  row: Pick<ScheduleRow, "createdAt" | "kind" | "nextAt" | "enabled" | "paused" | "pausedUntil" | "cursorAt">,
  { at, now }: { readonly at: Instant; readonly now: Instant },
): string {
  const { createdAt, kind, nextAt } = row;
  if (at < createdAt) return "The schedule did not exist yet";
  if (kind === "boot") {
    return "The schedule runs once after each boot of the machine, and no boot was recorded at or before this time";
  }
  const next = nextAt === null ? noNextRun(row, now) : `the next run is scheduled for ${formatInstant(nextAt)}`;
  return `No run was scheduled at or before this time; ${next}`;
}

function noNextRun(row: Parameters<typeof noScheduledTime>[0], now: Instant): string {
  const idle = idleOf(withoutPastPause(row, now));
  return idle === null ? "the schedule has no next run" : `the schedule is ${idleText(idle)}`;
}

/** `paused until …`. */
function idleText({ reason, until }: Idle): string {
  return `${reason}${until === openEnd ? "" : ` until ${formatInstant(until)}`}`;
}

export interface Upcoming {
  readonly instant: Instant;
  readonly due: Instant;
  readonly row: Pick<ScheduleRow, "jitterMs" | "spreadMs">;
}

export function upcoming({ instant, due, row }: Upcoming, now: Instant): string {
  if (due <= now) return "The run is due and is about to be queued";
  const delays = [row.spreadMs > 0 ? "spread" : null, row.jitterMs > 0 ? "jitter" : null].filter(
    (name) => name !== null,
  );
  return `The run is not due yet${due === instant ? "" : `; with its ${delays.join(" and ")} it is due at ${formatInstant(due)}`}`;
}

export function coalesced(into: Pick<RunRow, "state" | "reasonText" | "scheduledFor">): string {
  const scheduledFor = formatInstant(into.scheduledFor);
  return into.state === "skipped"
    ? `The run ${into.reasonText}; the history records it together with the run for ${scheduledFor}`
    : `The scheduled time was missed and merged into the run for ${scheduledFor}`;
}

/** Explains a run. `status` is a predicate from `describeRun`. */
export function run(
  { startedAt, coalesced: count }: Pick<RunRow, "startedAt" | "coalesced">,
  { status, isLate }: { readonly status: string; readonly isLate: boolean },
): string {
  const late = isLate && startedAt !== null ? `started late, at ${formatInstant(startedAt)}, and ` : "";
  const merged =
    count === 0 ? "" : `; ${count} earlier scheduled ${count === 1 ? "time was" : "times were"} merged into it`;
  return `The run ${late}${status}${merged}`;
}

export function idlePeriod({ reason, untilAt }: Pick<IdlePeriod, "reason" | "untilAt">, now: Instant): string {
  if (reason === "changed") return `The schedule had other times until it was changed at ${formatInstant(untilAt - 1)}`;
  if (untilAt <= now) return `The schedule was ${reason} until ${formatInstant(untilAt)}`;
  return `The schedule is ${idleText({ reason, until: untilAt })}`;
}
