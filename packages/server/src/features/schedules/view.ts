import { formatDuration, type Schedule } from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../kernel/time/time.ts";
import { isPaused } from "./idle.ts";
import type { ScheduleRow } from "./table.ts";

export interface ScheduleContext {
  readonly taskName: string;
  readonly zone: string;
  readonly now: Instant;
}

export function viewSchedule(row: ScheduleRow, context: ScheduleContext): Schedule {
  const paused = isPaused(row, context.now);
  return {
    id: row.id,
    task_id: row.taskId,
    task_name: context.taskName,
    name: row.name,
    kind: row.kind,
    expression: row.expression,
    every: row.everyMs === null ? null : formatDuration(row.everyMs),
    at: formatInstantOrNull(row.at),
    time_zone: row.timeZone,
    effective_time_zone: context.zone,
    jitter: formatDuration(row.jitterMs),
    spread: row.spread,
    misfire: { policy: row.misfirePolicy, window: formatDuration(row.misfireWindowMs), max_runs: row.misfireRunsMax },
    dst: { gap: row.dstGap, overlap: row.dstOverlap },
    anchored_at: row.kind === "interval" ? formatInstant(row.anchorAt) : null,
    starts_at: formatInstantOrNull(row.startsAt),
    ends_at: formatInstantOrNull(row.endsAt),
    enabled: row.enabled,
    paused,
    paused_until: paused ? formatInstantOrNull(row.pausedUntil) : null,
    next_run_at: formatInstantOrNull(row.nextAt),
    last_run_at: formatInstantOrNull(row.lastRunAt),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}
