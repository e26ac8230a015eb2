import type { Schedule } from "@belfry/client";
import { type NameOf, taskRef } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal, formatRelative } from "../output/time.ts";

/**
 * When the schedule runs: `0 3 * * *`, `every 5m`, `at 2026-12-01T02:00:00.000Z`, `at boot`. This is the name that the
 * daemon gives to a schedule without one, so that what a list shows can be typed.
 */
export function timingText(schedule: Schedule): string {
  switch (schedule.kind) {
    case "cron":
      return schedule.expression ?? "";
    case "interval":
      return `every ${schedule.every}`;
    case "once":
      return `at ${schedule.at}`;
    case "boot":
      return "at boot";
  }
}

/** Whether its only time, or its end, has passed. */
export function isOver({ kind, at, ends_at: endsAt, next_run_at: next }: Schedule, nowMs: number): boolean {
  const last = kind === "once" ? at : endsAt;
  return next === null && last !== null && Date.parse(last) <= nowMs;
}

function scheduleState(schedule: Schedule, nowMs: number): string {
  if (!schedule.enabled) return "disabled";
  if (isOver(schedule, nowMs)) return "done";
  if (!schedule.paused) return "enabled";
  return schedule.paused_until === null ? "paused" : `paused until ${formatLocal(schedule.paused_until)}`;
}

function paintOfSchedule(schedule: Schedule, nowMs: number): Paint | null {
  if (!schedule.enabled || isOver(schedule, nowMs)) return "dim";
  return schedule.paused ? "warn" : "good";
}

export function scheduleColumns(nameOf: NameOf, nowMs: number): readonly Column<Schedule>[] {
  const task: Column<Schedule> = { title: "TASK", text: (schedule) => nameOf(taskRef(schedule)), isFlexible: true };
  return [task, ...ownScheduleColumns(nowMs)];
}

/** Columns for schedules of one task. */
export function ownScheduleColumns(nowMs: number): readonly Column<Schedule>[] {
  return [
    { title: "WHEN", text: timingText },
    {
      title: "TIME ZONE",
      text: (schedule) => (schedule.kind === "cron" ? schedule.effective_time_zone : null),
      isSpare: true,
    },
    {
      title: "STATE",
      text: (schedule) => scheduleState(schedule, nowMs),
      color: (schedule) => paintOfSchedule(schedule, nowMs),
    },
    { title: "NEXT RUN", text: (schedule) => schedule.next_run_at, isTime: true },
    { title: "ID", text: (schedule) => schedule.id, color: () => "dim" },
  ];
}

/** `0 3 * * *`, or `0 3 * * * (disabled)` for a schedule that is not due for now. */
export function currentTimingText(schedule: Schedule, nowMs: number): string {
  const state = scheduleState({ ...schedule, paused_until: null }, nowMs);
  return state === "enabled" ? timingText(schedule) : `${timingText(schedule)} (${state})`;
}

/** The schedule that is due next first, then those that may be due later, then the others. */
export function byNextRun(nowMs: number): (one: Schedule, other: Schedule) => number {
  const rankOf = (schedule: Schedule): number => {
    if (schedule.next_run_at !== null) return Date.parse(schedule.next_run_at);
    return Number.MAX_SAFE_INTEGER - (schedule.enabled && !isOver(schedule, nowMs) ? 1 : 0);
  };
  return (one, other) => rankOf(one) - rankOf(other);
}

export function scheduleDetails(schedule: Schedule, nowMs: number): readonly Detail[] {
  const { misfire, dst, kind } = schedule;
  const inherited = schedule.time_zone === null ? " (inherited)" : "";
  const withRelative = (at: string | null): string | null =>
    at === null ? null : `${formatLocal(at)} (${formatRelative(at, nowMs)})`;
  return [
    ["Schedule", schedule.name],
    ["ID", schedule.id],
    ["Task", schedule.task_name],
    ["When", kind === "once" ? `${timingText(schedule)} (${formatLocal(schedule.at)})` : timingText(schedule)],
    ["Time zone", kind === "cron" ? `${schedule.effective_time_zone}${inherited}` : null],
    ["State", scheduleState({ ...schedule, paused_until: null }, nowMs)],
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
function pausedText(schedule: Schedule, nowMs: number): string {
  const { kind, paused_until: until } = schedule;
  if (isOver(schedule, nowMs) || (until !== null && kind !== "boot")) return "no further runs";
  return "no runs until the schedule is resumed";
}

function laterText({ jitter }: Schedule): string {
  return jitter === "0s" ? "" : `, up to ${jitter} later`;
}
