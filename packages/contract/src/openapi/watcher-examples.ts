import { watcherHealthReasons } from "../modules/watchers/health.ts";
import type { FilesystemWatcher } from "../modules/watchers/schemas.ts";
import { ids, made, names } from "./example-names.ts";

const watcher: FilesystemWatcher = {
  id: ids.filesystem_watcher,
  name: "Inbox",
  kind: "directory",
  path: "/srv/inbox",
  pattern: "*.csv",
  recursive: false,
  debounce: "500ms",
  stability: "1s",
  max_wait: "1m",
  on_start: "scan",
  target_task_id: ids.task,
  target_task_name: names.task,
  enabled: true,
  health: { state: "observing", reason: watcherHealthReasons.notified, since: "2026-11-21T01:18:00.123Z" },
  readiness: "ready",
  reason: "ready",
  ...made,
};

export const watcherExamples = {
  FilesystemWatcher: watcher,
  FilesystemWatcherList: { filesystem_watchers: [watcher], next_cursor: null },
};
