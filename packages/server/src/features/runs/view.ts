import { attemptReasons, Run, type RunAttempt, type Viewer } from "@belfry/contract";
import { createShow } from "../../kernel/show.ts";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import { reasonTextFor } from "./shown-reason.ts";
import type { AttemptRow, RunRow } from "./table.ts";

/** Returns the number of the current or last attempt; between two attempts, of the next one. */
export function attemptNumber({ state, attempt }: Pick<RunRow, "state" | "attempt">): number {
  return state === "queued" && attempt > 0 ? attempt + 1 : attempt;
}

const show = createShow(Run);

export function viewRun(row: RunRow, viewer: Viewer): Run {
  return show(viewer, {
    id: row.id,
    task_id: row.taskId,
    task_name: row.taskName,
    group_id: row.groupId,
    group_name: row.groupName,
    state: row.state,
    outcome: row.outcome,
    reason: row.reason,
    reason_text: reasonTextFor(viewer, row),
    exit_code: row.exitCode,
    signal: row.signal,
    attempt: attemptNumber(row),
    attempts_max: row.attemptsMax,
    trigger: row.trigger,
    source_schedule_id: row.sourceScheduleId,
    source_chain_id: row.sourceChainId,
    ...(row.sourceTriggerId === null ? {} : { source_trigger_id: row.sourceTriggerId }),
    ...(row.sourceWatcherId === null ? {} : { source_watcher_id: row.sourceWatcherId }),
    ...(row.sourceTaskId === null ? {} : { source_task_id: row.sourceTaskId }),
    ...(row.sourceRunId === null ? {} : { source_run_id: row.sourceRunId }),
    scheduled_for: formatInstant(row.scheduledFor),
    queued_at: formatInstant(row.queuedAt),
    started_at: formatInstantOrNull(row.startedAt),
    ended_at: formatInstantOrNull(row.endedAt),
    // between two attempts, the row has what was measured so far
    duration_ms: row.endedAt === null ? null : row.durationMs,
    coalesced: row.coalesced,
    coalesced_from: formatInstantOrNull(row.coalescedFrom),
    output: {
      stdout_bytes: row.stdoutBytes,
      stderr_bytes: row.stderrBytes,
      stdout_cut: row.stdoutCut,
      stderr_cut: row.stderrCut,
    },
    pid: row.pid,
    host: row.host,
  });
}

/** Shows an attempt. */
export function viewAttempt(row: AttemptRow): RunAttempt {
  const cause = row.cause === "exit" ? "exit_code" : row.cause;
  return {
    number: row.number,
    created_at: formatInstant(row.createdAt),
    started_at: formatInstantOrNull(row.startedAt),
    ended_at: formatInstantOrNull(row.endedAt),
    reason: attemptReasons.find((reason) => reason === cause) ?? null,
    exit_code: row.exitCode,
    signal: row.signal,
    output: {
      stdout_bytes: row.stdoutBytes,
      stderr_bytes: row.stderrBytes,
      stdout_cut: row.stdoutCut,
      stderr_cut: row.stderrCut,
    },
  };
}
