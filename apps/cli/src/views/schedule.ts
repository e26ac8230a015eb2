import type { Schedule } from "@belfry/client";
import { type NameOf, taskRef } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal, formatRelative } from "../output/time.ts";

/** When the schedule runs: `0 3 * * *`, `every 5m`, `once 2026-12-01 03:00:00 +01:00`, `at boot`. */
export function timingText(schedule: Schedule): string {
  switch (schedule.kind) {
    case "cron":
      return schedule.expression ?? "";
    case "interval":
      return `every ${schedule.every}`;
    case "once":
      return `once ${formatLocal(schedule.at)}`;
    case "boot":
      return "at boot";
  }
}

function scheduleState(schedule: Schedule): string {
  if (!schedule.enabled) return "disabled";
  if (!schedule.paused) return "enabled";
  return schedule.paused_until === null ? "paused" : `paused until ${formatLocal(schedule.paused_until)}`;
}

function paintOfSchedule(schedule: Schedule): Paint | null {
  if (!schedule.enabled) return "dim";
  return schedule.paused ? "warn" : "good";
}

export function scheduleColumns(nameOf: NameOf): readonly Column<Schedule>[] {
  return [{ title: "TASK", text: (schedule) => nameOf(taskRef(schedule)), isFlexible: true }, ...ownScheduleColumns];
}

/** Columns for schedules of one task. */
export const ownScheduleColumns: readonly Column<Schedule>[] = [
  { title: "WHEN", text: timingText },
  {
    title: "TIME ZONE",
    text: (schedule) => (schedule.kind === "cron" ? schedule.effective_time_zone : null),
    isSpare: true,
  },
  { title: "STATE", text: scheduleState, color: paintOfSchedule },
  { title: "NEXT RUN", text: (schedule) => schedule.next_run_at, isTime: true },
  { title: "ID", text: (schedule) => schedule.id, color: () => "dim" },
];

export function scheduleDetails(schedule: Schedule, nowMs: number): readonly Detail[] {
  const { misfire, dst, kind } = schedule;
  const inherited = schedule.time_zone === null ? " (inherited)" : "";
  const withRelative = (at: string | null): string | null =>
    at === null ? null : `${formatLocal(at)} (${formatRelative(at, nowMs)})`;
  return [
    ["Schedule", schedule.name],
    ["ID", schedule.id],
    ["Task", schedule.task_name],
    ["When", timingText(schedule)],
    ["Time zone", kind === "cron" ? `${schedule.effective_time_zone}${inherited}` : null],
    ["State", schedule.enabled && schedule.paused ? "paused" : scheduleState(schedule)],
    ["Paused until", withRelative(schedule.paused_until)],
    ["Next run", withRelative(schedule.next_run_at)],
    ["Last run", withRelative(schedule.last_run_at)],
    ["Spread", schedule.spread ? "starts later by a constant delay" : null],
    ["Jitter", schedule.jitter === "0s" ? null : `up to ${schedule.jitter}`],
    [
      "Missed times",
      `${misfire.policy.replace("_", " ")}${misfire.policy === "skip" ? "" : `, up to ${misfire.window} old`}`,
    ],
    ["Clock changes", kind === "cron" ? clockChangesText(dst) : null],
    ["Interval counted from", withRelative(schedule.anchored_at)],
    ["Not before", withRelative(schedule.starts_at)],
    ["Not after", withRelative(schedule.ends_at)],
  ];
}

function clockChangesText({ gap, overlap }: Schedule["dst"]): string {
  const skipped = gap === "run_after" ? "run after the gap" : "do not run";
  return `skipped local times ${skipped}, repeated local times run ${overlap === "both" ? "twice" : "once"}`;
}

/** The next run, as it is shown after a change. */
export function nextRunText(schedule: Schedule, nowMs: number): string {
  if (schedule.next_run_at !== null)
    return `next run ${formatLocal(schedule.next_run_at)} (${formatRelative(schedule.next_run_at, nowMs)})${laterText(schedule)}`;
  if (!schedule.enabled) return "no runs until the schedule is enabled";
  if (schedule.paused) return pausedText(schedule, nowMs);
  return schedule.kind === "boot" ? "runs at the next boot" : "no further runs";
}

/** A schedule that is paused until a time at which no run follows has ended. */
function pausedText({ kind, paused_until: until, ends_at: endsAt }: Schedule, nowMs: number): string {
  const isOver = endsAt !== null && Date.parse(endsAt) <= nowMs;
  if (isOver || (until !== null && kind !== "boot")) return "no further runs";
  return "no runs until the schedule is resumed";
}

function laterText({ jitter }: Schedule): string {
  return jitter === "0s" ? "" : `, up to ${jitter} later`;
}
