import type { Task } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import { formatBytes, formatLocal } from "../output/time.ts";
import { environmentText } from "./environment.ts";
import { hiddenBelowManage } from "./hidden.ts";
import { glanceText, lastResultText, type TaskRow } from "./task-glance.ts";

export interface TaskDetails extends TaskRow {
  /** The channels that are notified; null if there are none. */
  readonly notified: string | null;
}

export function taskDetails({ task, schedules, notified }: TaskDetails, nowMs: number): readonly Detail[] {
  const { retry, concurrency, retention } = task;
  const labels = Object.entries(task.labels).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  return [
    ["Task", task.name],
    ["ID", task.id],
    ["Description", task.description],
    ["Group", task.group_name],
    ["State", glanceText({ task, schedules }, nowMs)],
    ["Last result", lastResultText(task, nowMs)],
    ["Command", commandText(task.command)],
    ["Runs as", task.run_as === undefined ? hiddenBelowManage : task.run_as],
    ["Working directory", task.working_directory === undefined ? hiddenBelowManage : task.working_directory],
    ["Environment", environmentText(task.environment_names)],
    ["Standard input", task.has_standard_input ? "given" : null],
    ["Timeout", task.timeout === null ? null : `${task.timeout}, then TERM, and KILL after ${task.kill_grace}`],
    ["Background processes", task.leftovers === "kill" ? "are ended when the task exits" : null],
    ["Retries", retry.max_attempts === 1 ? null : `${retry.max_attempts - 1}, the first after ${retry.delay}`],
    ["Lost runs", task.on_lost === "retry" ? "are retried" : null],
    ["Concurrency", concurrencyText(concurrency)],
    ["Priority", task.priority === 0 ? null : String(task.priority)],
    ["Successful exit codes", task.success_exit_codes.join() === "0" ? null : task.success_exit_codes.join(", ")],
    ["Notifies", notified],
    ["Last success", task.last_success_at === null ? null : formatLocal(task.last_success_at)],
    ["Expected success", expectedText(task)],
    [
      "History",
      `${retention.runs} ${retention.runs === 1 ? "run" : "runs"}, up to ${retention.age} old, with at most ${formatBytes(retention.bytes)} of output`,
    ],
    ["Labels", labels.length === 0 ? null : labels.join(", ")],
    ["Changed", formatLocal(task.updated_at)],
  ];
}

function expectedText({ expect_success_within: within, overdue }: Task): string | null {
  if (within === null) return null;
  return `every ${within}${overdue ? ", now overdue" : ""}`;
}

const conflictTexts: Readonly<Record<Task["concurrency"]["on_conflict"], string>> = {
  queue: "others are queued",
  skip: "others are skipped",
  replace: "a new run replaces the oldest",
};

/** `1 run at a time, others are queued`. */
function concurrencyText({ limit, key, on_conflict }: Task["concurrency"]): string {
  const shared = key === null ? "" : ` for all tasks with the key ${JSON.stringify(key)}`;
  return `${limit} ${limit === 1 ? "run" : "runs"} at a time${shared}, ${conflictTexts[on_conflict]}`;
}

/** The command as a shell would read it, with quotes where they are needed. */
function commandText(command: Task["command"]): string | null {
  if (command === undefined) return hiddenBelowManage;
  if (command === null) return null;
  if (command.kind === "shell") return command.script;
  return [command.program, ...command.arguments]
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}
