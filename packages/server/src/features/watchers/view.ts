import { type FilesystemWatcher, formatDuration, type WatcherHealth, type WatcherReason } from "@belfry/contract";
import { formatInstant } from "../../kernel/time/time.ts";
import type { WatcherObservation } from "./observation.ts";
import type { WatcherRow } from "./table.ts";

/** The values of the view that are not in the watcher's row. */
export interface WatcherContext {
  readonly targetName: string;
  readonly reason: WatcherReason;
  readonly health: WatcherObservation["health"];
}

export function viewWatcher(row: WatcherRow, { targetName, reason, health }: WatcherContext): FilesystemWatcher {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    path: row.path,
    ...(row.pattern === null ? {} : { pattern: row.pattern }),
    recursive: row.recursive,
    debounce: formatDuration(row.debounceMs),
    stability: formatDuration(row.stabilityMs),
    max_wait: formatDuration(row.maxWaitMs),
    on_start: row.onStart,
    target_task_id: row.targetTaskId,
    target_task_name: targetName,
    enabled: row.enabled,
    health: viewHealth(health),
    readiness: reason === "ready" ? "ready" : "not_ready",
    reason,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}

export function viewHealth({ state, reason, since }: WatcherObservation["health"]): WatcherHealth {
  return { state, reason, since: formatInstant(since) };
}
