import {
  FilesystemWatcher,
  formatDuration,
  type Viewer,
  type WatcherHealth,
  type WatcherReason,
} from "@belfry/contract";
import { createShow } from "../../kernel/show.ts";
import { formatInstant } from "../../kernel/time/time.ts";
import type { WatcherObservation } from "./observation.ts";
import type { WatcherRow } from "./table.ts";

/** The values of the view that are not in the watcher's row. */
export interface WatcherContext {
  readonly targetName: string;
  readonly reason: WatcherReason;
  readonly health: WatcherObservation["health"];
  readonly viewer: Viewer;
}

const show = createShow(FilesystemWatcher);

export function viewWatcher(row: WatcherRow, context: WatcherContext): FilesystemWatcher {
  const { targetName, reason, health } = context;
  return show(context.viewer, {
    id: row.id,
    name: row.name,
    kind: row.kind,
    path: row.path,
    pattern: row.pattern ?? undefined,
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
  });
}

export function viewHealth({ state, reason, since }: WatcherObservation["health"]): WatcherHealth {
  return { state, reason, since: formatInstant(since) };
}
