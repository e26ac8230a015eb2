import type { Task } from "@belfry/client";
import { pathOfTask } from "../find/task.ts";
import type { Output } from "../output/output.ts";
import type { Column } from "../output/table.ts";
import { formatAge, formatElapsed, formatRelative, formatSpan } from "../output/time.ts";
import { holdHint } from "../views/hold.ts";
import { runState, taskPath } from "../views/run.ts";
import { seriesText } from "../views/series.ts";
import type { FailedTask, NextRun, RunningRun, Status } from "./read-status.ts";

/** Also the default name of a daemon, which is not repeated. */
const product = "Belfry";

/** The status as text: one paragraph for each question. */
export function renderStatus(status: Status, out: Output, nowMs: number): string {
  const { daemon, holds, running, failed, more_failed: more, overdue, next } = status;
  const title = (text: string): string => out.paint("bold", text);
  return [
    `${daemon.display_name === product ? title(product) : `${title(daemon.display_name)}: ${product}`} ${daemon.version}; ${running.length} running, ${queueText(status.queued)}`,
    ...holds.map((hold) => out.paint("warn", out.hint(holdHint(hold)))),
    running.length === 0 ? null : `${title("Running")}\n${out.table(runningColumns(nowMs), running)}`,
    failed.length === 0
      ? "No run has failed since yesterday"
      : `${title("Failed since yesterday")}\n${out.table(failedColumns(nowMs), failed).trimEnd()}${more === 0 ? "" : `\nand ${more} more ${more === 1 ? "task" : "tasks"}`}`,
    overdue.length === 0 ? null : `${title("Overdue")}\n${out.table(overdueColumns(nowMs), overdue)}`,
    next.length === 0
      ? "No run is scheduled in the next 7 days"
      : `${title("Next")}\n${out.table(nextColumns(nowMs), next)}`,
  ]
    .filter((part) => part !== null)
    .map((part) => part.trimEnd())
    .join("\n\n");
}

/** `3 queued (1 waits for a retry)`. */
function queueText({ waiting, retrying, later }: Status["queued"]): string {
  const details = [
    retrying === 0 ? null : `${retrying} before a retry`,
    later === 0 ? null : `${later} for a later time`,
  ].filter((text) => text !== null);
  return `${waiting + retrying + later} queued${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
}

export function runningColumns(nowMs: number, { isWithId = false } = {}): readonly Column<RunningRun>[] {
  const elapsed = ({ run }: RunningRun): number | null =>
    run.started_at === null ? null : Math.max(0, nowMs - Date.parse(run.started_at));
  const id: Column<RunningRun> = { title: "ID", text: ({ run }) => run.id, color: () => "dim" };
  return [
    { title: "TASK", text: ({ run }) => taskPath(run), isFlexible: true },
    {
      title: "ELAPSED",
      text: (row) => {
        const ms = elapsed(row);
        return ms === null ? "starting" : formatSpan(ms);
      },
      // twice the usual duration is worth a look
      color: (row) => (row.usual_ms !== null && (elapsed(row) ?? 0) > 2 * row.usual_ms + 1_000 ? "warn" : null),
      isNumber: true,
    },
    { title: "USUAL", text: ({ usual_ms }) => formatElapsed(usual_ms), isNumber: true },
    { title: "STATE", text: ({ run }) => attemptText(run) },
    isWithId ? id : { ...id, isSpare: true },
  ];
}

function attemptText(run: RunningRun["run"]): string {
  return run.attempt > 1 ? `${runState(run)}, attempt ${run.attempt} of ${run.attempts_max}` : runState(run);
}

function failedColumns(nowMs: number): readonly Column<FailedTask>[] {
  return [
    { title: "TASK", text: ({ run }) => taskPath(run), isFlexible: true },
    { title: "FAILURES", text: ({ failures }) => String(failures), isNumber: true },
    { title: "LAST", text: ({ run }) => (run.ended_at === null ? null : formatAge(run.ended_at, nowMs)) },
    { title: "REASON", text: ({ run }) => runState(run).replace("failed: ", "") },
    {
      title: "NOW",
      text: ({ has_recovered: isOk }) => (isOk === null ? "deleted" : isOk ? "ok again" : "failing"),
      color: ({ has_recovered: isOk }) => (isOk === null ? "dim" : isOk ? "good" : "bad"),
    },
  ];
}

function overdueColumns(nowMs: number): readonly Column<Task>[] {
  return [
    { title: "TASK", text: pathOfTask, isFlexible: true },
    { title: "EXPECTED", text: ({ expect_success_within: within }) => (within === null ? null : `every ${within}`) },
    { title: "LAST SUCCESS", text: ({ last_success_at: at }) => (at === null ? "never" : formatAge(at, nowMs)) },
  ];
}

/** `every minute; skipped while held`. */
function nextNote(entry: NextRun): string {
  const series = entry.every === null ? "" : (seriesText(entry).split(",")[0] ?? "");
  return [series, entry.is_skipped ? "skipped while held" : ""].filter((part) => part !== "").join("; ");
}

function nextColumns(nowMs: number): readonly Column<NextRun>[] {
  return [
    { title: "IN", text: ({ at }) => formatRelative(at, nowMs).replace(/^in /, "") },
    { title: "TASK", text: ({ task_name }) => task_name, isFlexible: true },
    { title: "SCHEDULE", text: ({ schedule_name }) => schedule_name, isFlexible: true },
    { title: "TIME", text: ({ at }) => at, isTime: true, isSpare: true },
    { title: "NOTE", text: nextNote },
  ];
}
