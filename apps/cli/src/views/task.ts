import type { Task } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

/** One word for what a person asks first: can it run? */
export function taskState(task: Task): string {
  if (task.lifecycle !== "active") return task.lifecycle;
  if (!task.enabled) return "disabled";
  return task.readiness === "ready" ? "ready" : task.reason.replaceAll("_", " ");
}

function paintOfTask(task: Task): Paint | null {
  const state = taskState(task);
  if (state === "ready") return "good";
  return state === "disabled" || state === "archived" ? "dim" : "warn";
}

/** `nextRuns` holds the soonest instant of each task's schedules. */
export function taskColumns(nextRuns: ReadonlyMap<string, string>): readonly Column<Task>[] {
  return [
    { title: "NAME", text: (task) => task.name, isFlexible: true },
    { title: "GROUP", text: (task) => task.group_name ?? "-", isFlexible: true },
    { title: "STATE", text: taskState, color: paintOfTask },
    { title: "NEXT RUN", text: (task) => nextRuns.get(task.id) ?? null, isTime: true },
    { title: "ID", text: (task) => task.id, color: () => "dim" },
  ];
}

export function taskDetails(task: Task): readonly Detail[] {
  const { retry, concurrency, retention } = task;
  const labels = Object.entries(task.labels).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  return [
    ["Task", task.name],
    ["Id", task.id],
    ["Description", task.description],
    ["Group", task.group_name],
    ["State", taskState(task)],
    ["Command", commandText(task.command)],
    ["Starts in", task.working_directory],
    ["Environment", task.environment_names.length === 0 ? null : task.environment_names.join(", ")],
    ["Standard input", task.has_standard_input ? "given" : null],
    ["Timeout", task.timeout === null ? null : `${task.timeout}, then TERM, and KILL after ${task.kill_grace}`],
    ["Retries", retry.max_attempts === 1 ? null : `${retry.max_attempts - 1}, the first after ${retry.delay}`],
    ["At once", `${concurrency.limit}, then ${concurrency.on_conflict}`],
    ["Priority", task.priority === 0 ? null : String(task.priority)],
    ["Success", task.success_exit_codes.join() === "0" ? null : `exit codes ${task.success_exit_codes.join(", ")}`],
    ["History", `${retention.runs} runs, up to ${retention.age}`],
    ["Labels", labels.length === 0 ? null : labels.join(", ")],
    ["Changed", formatLocal(task.updated_at)],
  ];
}

/** As it could be typed; what needs quotes for a shell has them. */
function commandText(command: Task["command"]): string | null {
  if (command === null) return null;
  if (command.kind === "shell") return command.script;
  return [command.program, ...command.arguments]
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}
