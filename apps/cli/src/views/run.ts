import type { Run } from "@belfry/client";
import { isLive } from "../find/run.ts";
import { foldName } from "@belfry/contract";
import { pathOfTask } from "../find/task.ts";
import { sharedNames, taskRef } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatBytes, formatLocal, formatElapsed, localize } from "../output/time.ts";

/** The state, with the reason where there is one: `failed: exit 3`. */
export function runState(run: Run): string {
  if (run.state === "queued" && run.attempt > 0) return `queued: retry ${run.attempt - 1} of ${run.attempts_max - 1}`;
  // while a retry runs, the reason is that of the previous attempt
  if (isLive(run) || run.reason === null || run.state === "succeeded" || run.state === run.reason) return run.state;
  return `${run.state}: ${shortReason(run)}`;
}

function shortReason(run: Run): string {
  if (run.reason === "exit_code") return `exit ${run.exit_code}`;
  if (run.reason === "signal") return run.signal ?? "signal";
  if (run.reason === "misfire") return "missed";
  return run.reason?.replaceAll("_", " ") ?? "";
}

function paintOfRun(run: Run): Paint | null {
  switch (run.state) {
    case "succeeded":
      return "good";
    case "failed":
      return "bad";
    case "skipped":
    case "cancelled":
    case "cancelling":
      return "warn";
    case "queued":
      return "dim";
    case "dispatching":
    case "running":
      return null;
  }
}

/** Columns for runs of several tasks. Runs know their group, so tasks with equal names are shown as `group/name`. */
export function runColumns(runs: readonly Run[], { isWide = false } = {}): readonly Column<Run>[] {
  const shared = sharedNames(runs.map(taskRef));
  const nameOf = (run: Run): string => (shared.has(foldName(run.task_name)) ? taskPath(run) : run.task_name);
  const [scheduled, ...rest] = ownRunColumns;
  const times = isWide ? [scheduled, ...exactTimeColumns] : [scheduled];
  return [...times, { title: "TASK", text: nameOf, isFlexible: true }, ...rest];
}

const exactTimeColumns: readonly Column<Run>[] = [
  { title: "STARTED", text: (run) => run.started_at, isTime: true },
  { title: "FINISHED", text: (run) => run.ended_at, isTime: true },
];

/** Columns for runs of one task. A run that was late or did not start has a scheduled time too. */
export const ownRunColumns: readonly [Column<Run>, ...Column<Run>[]] = [
  { title: "SCHEDULED", text: (run) => run.scheduled_for, isTime: true },
  { title: "STATE", text: runState, color: paintOfRun },
  { title: "DURATION", text: (run) => formatElapsed(run.duration_ms), isNumber: true },
  { title: "TRIGGER", text: (run) => run.trigger, isSpare: true },
  { title: "ID", text: (run) => run.id, color: () => "dim" },
];

/** `group/name` of its task. */
export function taskPath({ group_name, task_name }: Run): string {
  return pathOfTask({ group_name, name: task_name });
}

/** `The run is queued: the task's limit of 1 concurrent run is reached`, with times in the local zone. */
export function waitingSentence({ waiting }: Run): string | null {
  return waiting === undefined ? null : `The run ${localize(waiting.text)}`;
}

/** Why a run that has ended never started a program, as a sentence; null if its output says what happened. */
export function unstartedSentence(run: Run): string | null {
  if (isLive(run) || run.reason_text === null) return null;
  if (run.started_at !== null && run.reason !== "spawn_error") return null;
  return `The run of task ${JSON.stringify(run.task_name)} ${localize(run.reason_text)}`;
}

/** What is known beside the run itself. */
interface Surroundings {
  /** The run that started this one through a chain. */
  readonly source?: Run | null;
  /** The name of what requested the run. */
  readonly requester?: string | null;
}

export function runDetails(run: Run, { source = null, requester = null }: Surroundings = {}): readonly Detail[] {
  return [
    ["Run", run.id],
    ["Task", taskPath(run)],
    ["State", runState(run)],
    ["Reason", run.reason_text === null ? null : localize(run.reason_text)],
    ["Waits", waitingSentence(run)],
    ["Trigger", requester === null ? run.trigger : `${run.trigger}: ${requester}`],
    ["After", sourceText(run, source)],
    ["Scheduled for", formatLocal(run.scheduled_for)],
    ["Queued", formatLocal(run.queued_at)],
    ["Started", run.started_at === null ? null : formatLocal(run.started_at)],
    ["Finished", run.ended_at === null ? null : formatLocal(run.ended_at)],
    ["Duration", run.duration_ms === null ? null : formatElapsed(run.duration_ms)],
    ["Attempt", run.attempts_max === 1 ? null : `${run.attempt} of ${run.attempts_max}`],
    ["Exit code", run.exit_code === null ? null : String(run.exit_code)],
    ["Process", processText(run)],
    [
      "Missed times",
      run.coalesced === 0
        ? null
        : `${run.coalesced} earlier ${run.coalesced === 1 ? "time" : "times"} since ${formatLocal(run.coalesced_from)} merged into this run`,
    ],
    ["Output", run.started_at === null ? null : outputText(run.output)],
  ];
}

/** `1234 on db1`; nothing for a run without a process, or for a caller who may not see it. */
function processText({ pid, host }: Run): string | null {
  if (pid === undefined || pid === null) return null;
  return host === undefined || host === null ? String(pid) : `${pid} on ${host}`;
}

/** `Load: failed: exit 3 (run_…)`. */
function sourceText(run: Run, source: Run | null): string | null {
  if (run.source_run_id === undefined) return null;
  return source === null ? run.source_run_id : `${taskPath(source)}: ${runState(source)} (${source.id})`;
}

function outputText({ stdout_bytes, stderr_bytes, stdout_cut, stderr_cut }: Run["output"]): string {
  const cut = stdout_cut + stderr_cut;
  return `${formatBytes(stdout_bytes)} on stdout, ${formatBytes(stderr_bytes)} on stderr${cut === 0 ? "" : `, ${formatBytes(cut)} dropped`}`;
}
