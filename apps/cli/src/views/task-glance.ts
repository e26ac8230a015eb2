import type { Schedule, Task } from "@belfry/client";
import type { Paint } from "../output/paint.ts";
import { formatAge, formatSpan } from "../output/time.ts";
import { isOver } from "./schedule.ts";

/** A task with its schedules. */
export interface TaskRow {
  readonly task: Task;
  readonly schedules: readonly Schedule[];
  /** Until when it is held; undefined if it is not, null if only a person releases it. */
  readonly release?: string | null | undefined;
}

/** Whether the task can run, in one word. */
export function taskState(task: Task): string {
  if (task.lifecycle !== "active") return task.lifecycle;
  if (!task.enabled) return "disabled";
  if (task.readiness !== "ready") return task.reason.replaceAll("_", " ");
  return task.overdue ? "overdue" : "ready";
}

/** The most important fact about a task: `disabled`, `running 3m`, `paused`, `schedule disabled`, `failing 3x, overdue`, `ready`. */
export function glanceText({ task, schedules }: TaskRow, nowMs: number): string {
  const state = taskState(task);
  if (state !== "ready" && state !== "overdue") return state;
  const active = activeText(task, nowMs);
  if (active !== null) return active;
  const stopped = stoppedText(schedules, nowMs);
  if (stopped !== null) return stopped;
  const failures = countFailures(task);
  if (failures === 0) return state;
  const failing = failures === 1 ? "failing" : `failing ${failures}x${failures === listedOutcomes ? "+" : ""}`;
  return state === "overdue" ? `${failing}, overdue` : failing;
}

/** Whether the task has no scheduled runs because its schedules are paused or disabled. */
function stoppedText(schedules: TaskRow["schedules"], nowMs: number): string | null {
  const enabled = schedules.filter((schedule) => schedule.enabled && !isOver(schedule, nowMs));
  if (enabled.length > 0) return enabled.every(({ paused }) => paused) ? "paused" : null;
  return schedules.some((schedule) => !schedule.enabled) ? "schedule disabled" : null;
}

export function glancePaint(row: TaskRow, nowMs: number): Paint | null {
  const text = glanceText(row, nowMs);
  if (text === "ready") return "good";
  if (text.startsWith("failing")) return "bad";
  if (text === "disabled" || text === "archived") return "dim";
  return activeText(row.task, nowMs) === text ? null : "warn";
}

/** The number of recent outcomes that the daemon lists. */
const listedOutcomes = 5;

/** How often the task has failed since its last success, as far as the recent outcomes show. */
function countFailures(task: Task): number {
  const { recent } = historyOf(task);
  const success = recent.findIndex(({ outcome }) => outcome === "success");
  return success < 0 ? recent.length : success;
}

function activeText(task: Task, nowMs: number): string | null {
  const { run } = historyOf(task);
  if (run === null || run.ended_at !== null) return null;
  if (run.state === "queued") return "retrying";
  if (run.state === "cancelling") return "cancelling";
  return run.started_at === null ? "starting" : `running ${formatSpan(nowMs - Date.parse(run.started_at))}`;
}

/** `ok 3h ago`, `exit 3, 2h ago`, `never`. While a run is active, the result of the run before it. */
export function lastResultText(task: Task, nowMs: number): string {
  const { run, recent } = historyOf(task);
  const [newest] = recent;
  if (run !== null && run.ended_at !== null) return `${resultOf(run)} ${formatAge(run.ended_at, nowMs)}`;
  if (newest === undefined) return "never";
  return `${newest.outcome === "success" ? "ok" : "failed"} ${formatAge(newest.ended_at, nowMs)}`;
}

export function lastResultPaint(task: Task): Paint | null {
  const { run, recent } = historyOf(task);
  const [newest] = recent;
  if (run?.state === "cancelled") return "warn";
  if (newest === undefined) return "dim";
  return newest.outcome === "success" ? "good" : "bad";
}

/** An older daemon does not report them. */
function historyOf({ last_run: run = null, recent_outcomes: recent = [] }: Partial<Task>) {
  return { run, recent };
}

function resultOf(run: NonNullable<Task["last_run"]>): string {
  if (run.outcome === "success") return "ok";
  if (run.reason === "exit_code") return `exit ${run.exit_code},`;
  if (run.reason === "signal") return `${run.signal ?? "signal"},`;
  return run.state === "failed" ? `${run.reason?.replaceAll("_", " ") ?? "failed"},` : run.state;
}
