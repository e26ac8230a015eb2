import { formatDuration, type Retry, type TaskCreate, type TaskPatch } from "@belfry/contract";
import { durationMs } from "../../kernel/time/duration.ts";
import type { TaskRow } from "./table.ts";

/** Writes a retry in its canonical form, so that the same retry is always stored as the same text. */
function canonicalRetry(retry: Retry): Retry {
  const delayMs = durationMs(retry.delay);
  const maxDelayMs = durationMs(retry.max_delay);
  return { ...retry, delay: formatDuration(delayMs), max_delay: formatDuration(maxDelayMs) };
}

type PlainMembers = Omit<
  TaskCreate,
  "name" | "group_id" | "command" | "run_as" | "environment" | "standard_input" | "labels"
>;

/** Returns the columns of members without further rules; absent members stay absent. */
export function plainColumns(input: Partial<PlainMembers> | TaskPatch): Partial<TaskRow> {
  const columns: Partial<TaskRow> = {};
  if (input.description !== undefined) columns.description = input.description;
  if (input.enabled !== undefined) columns.enabled = input.enabled;
  if (input.working_directory !== undefined) columns.workingDirectory = input.working_directory;
  if (input.timeout !== undefined) columns.timeoutMs = input.timeout === null ? null : durationMs(input.timeout);
  if (input.kill_grace !== undefined) columns.killGraceMs = durationMs(input.kill_grace);
  if (input.leftovers !== undefined) columns.leftovers = input.leftovers;
  if (input.retry !== undefined) columns.retry = canonicalRetry(input.retry);
  if (input.on_lost !== undefined) columns.onLost = input.on_lost;
  if (input.priority !== undefined) columns.priority = input.priority;
  if (input.concurrency !== undefined) {
    columns.concurrencyLimit = input.concurrency.limit;
    columns.concurrencyKey = input.concurrency.key;
    columns.onConflict = input.concurrency.on_conflict;
  }
  if (input.success_exit_codes !== undefined)
    columns.successExitCodes = [...new Set(input.success_exit_codes)].sort((a, b) => a - b);
  if (input.output !== undefined) columns.outputBytesMax = input.output.max_bytes;
  if (input.expect_success_within !== undefined)
    columns.expectSuccessWithinMs =
      input.expect_success_within === null ? null : durationMs(input.expect_success_within);
  if (input.retention !== undefined) {
    columns.retentionRuns = input.retention.runs;
    columns.retentionAgeMs = durationMs(input.retention.age);
    columns.retentionBytes = input.retention.bytes;
  }
  return columns;
}
