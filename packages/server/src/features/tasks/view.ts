import {
  formatDuration,
  type LastRun,
  type ReadinessReason,
  type RecentOutcome,
  Task,
  type Viewer,
} from "@belfry/contract";
import { createShow } from "../../kernel/show.ts";
import { formatInstant, formatInstantOrNull, type Instant } from "../../kernel/time/time.ts";
import type { TaskRow } from "./table.ts";

/** The values of the view that are not in the task's row. */
export interface TaskContext {
  readonly groupName: string | null;
  readonly reason: ReadinessReason;
  readonly viewer: Viewer;
  readonly isOverdue: boolean;
  readonly lastSuccessAt: Instant | null;
  readonly history: TaskHistory;
  readonly nextRunAt: Instant | null;
}

/** The latest runs of a task. */
export interface TaskHistory {
  readonly lastRun: LastRun | null;
  readonly recentOutcomes: readonly RecentOutcome[];
  readonly usualDurationMs: number | null;
}

const show = createShow(Task);

/** Shows a task. Its environment values and its standard input are never part of the view. */
export function viewTask(row: TaskRow, context: TaskContext): Task {
  return show(context.viewer, {
    id: row.id,
    name: row.name,
    description: row.description,
    group_id: row.groupId,
    group_name: context.groupName,
    lifecycle: row.lifecycle,
    enabled: row.enabled,
    command: row.command,
    run_as: row.runAs,
    working_directory: row.workingDirectory,
    environment_names: [...row.environmentNames],
    has_standard_input: row.standardInputSealed !== null,
    timeout: row.timeoutMs === null ? null : formatDuration(row.timeoutMs),
    kill_grace: formatDuration(row.killGraceMs),
    leftovers: row.leftovers,
    retry: row.retry,
    on_lost: row.onLost,
    priority: row.priority,
    concurrency: { limit: row.concurrencyLimit, key: row.concurrencyKey, on_conflict: row.onConflict },
    success_exit_codes: [...row.successExitCodes],
    output: { max_bytes: row.outputBytesMax },
    expect_success_within: row.expectSuccessWithinMs === null ? null : formatDuration(row.expectSuccessWithinMs),
    overdue: context.isOverdue,
    last_success_at: formatInstantOrNull(context.lastSuccessAt),
    last_run: context.history.lastRun,
    recent_outcomes: [...context.history.recentOutcomes],
    usual_duration_ms: context.history.usualDurationMs,
    next_run_at: formatInstantOrNull(context.nextRunAt),
    retention: { runs: row.retentionRuns, age: formatDuration(row.retentionAgeMs), bytes: row.retentionBytes },
    labels: row.labels,
    readiness: context.reason === "ready" ? "ready" : "not_ready",
    reason: context.reason,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  });
}
