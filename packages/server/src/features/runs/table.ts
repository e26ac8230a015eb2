import { runOutcomes, runReasons, runStates, runTriggers } from "@belfry/contract";
import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const runs = sqliteTable("runs", {
  id: text("id").primaryKey(),
  taskId: text("task_id").notNull(),
  taskName: text("task_name").notNull(),
  groupId: text("group_id"),
  groupName: text("group_name"),
  state: text("state", { enum: runStates }).notNull(),
  outcome: text("outcome", { enum: runOutcomes }),
  reason: text("reason", { enum: runReasons }),
  reasonText: text("reason_text"),
  exitCode: integer("exit_code"),
  signal: text("signal"),
  /** The number of attempts that were begun. */
  attempt: integer("attempt").notNull(),
  attemptsMax: integer("attempts_max").notNull(),
  trigger: text("trigger", { enum: runTriggers }).notNull(),
  sourceScheduleId: text("source_schedule_id"),
  sourceTriggerId: text("source_trigger_id"),
  sourceWatcherId: text("source_watcher_id"),
  sourceChainId: text("source_chain_id"),
  sourceTaskId: text("source_task_id"),
  sourceRunId: text("source_run_id"),
  sourceOutcome: text("source_outcome", { enum: runOutcomes }),
  sourceExitCode: integer("source_exit_code"),
  scheduledFor: integer("scheduled_for").notNull(),
  queuedAt: integer("queued_at").notNull(),
  notBefore: integer("not_before").notNull(),
  priority: integer("priority").notNull(),
  startedAt: integer("started_at"),
  endedAt: integer("ended_at"),
  durationMs: integer("duration_ms"),
  coalesced: integer("coalesced").notNull(),
  coalescedFrom: integer("coalesced_from"),
  stdoutBytes: integer("stdout_bytes").notNull(),
  stderrBytes: integer("stderr_bytes").notNull(),
  stdoutCut: integer("stdout_cut").notNull(),
  stderrCut: integer("stderr_cut").notNull(),
  pid: integer("pid"),
  host: text("host"),
  attemptId: text("attempt_id"),
  cancelRequestedAt: integer("cancel_requested_at"),
  cancelCause: text("cancel_cause", { enum: ["cancelled", "replaced"] }),
});
export type RunRow = typeof runs.$inferSelect;

/*
 * Conditions on the state of a run. They are literals, not placeholders: SQLite uses a partial index only if the query
 * repeats the index's condition word for word.
 */

export const isQueued = sql`${runs.state} = 'queued'`;
/** The same condition for queries that read another index in its order: see the migration that created that index. */
export const isWaiting = sql`+${runs.state} = 'queued'`;
export const isLive = sql`${runs.state} IN ('dispatching', 'running', 'cancelling')`;
export const isUnfinished = sql`${runs.state} IN ('queued', 'dispatching', 'running', 'cancelling')`;

export const attempts = sqliteTable("attempts", {
  id: text("id").primaryKey(),
  runId: text("run_id").notNull(),
  number: integer("number").notNull(),
  origin: text("boot_id").notNull(),
  createdAt: integer("created_at").notNull(),
  startedAt: integer("started_at"),
  endedAt: integer("ended_at"),
  cause: text("cause"),
  exitCode: integer("exit_code"),
  signal: text("signal"),
  stdoutBytes: integer("stdout_bytes").notNull(),
  stderrBytes: integer("stderr_bytes").notNull(),
  stdoutCut: integer("stdout_cut").notNull(),
  stderrCut: integer("stderr_cut").notNull(),
  orderBytes: integer("order_bytes").notNull(),
});
export type AttemptRow = typeof attempts.$inferSelect;

/** Returns how much of an attempt's output is kept, with its order. */
export function keptBytesOf(
  output: Pick<AttemptRow, "stdoutBytes" | "stdoutCut" | "stderrBytes" | "stderrCut" | "orderBytes">,
): number {
  return output.stdoutBytes - output.stdoutCut + output.stderrBytes - output.stderrCut + output.orderBytes;
}
