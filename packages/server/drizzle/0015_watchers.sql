-- Which task is started when files change. The files themselves are never in the database.
CREATE TABLE filesystem_watchers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('file', 'directory')),
  path TEXT NOT NULL,
  pattern TEXT,
  recursive INTEGER NOT NULL CHECK (recursive IN (0, 1)),
  debounce_ms INTEGER NOT NULL,
  stability_ms INTEGER NOT NULL,
  max_wait_ms INTEGER NOT NULL,
  on_start TEXT NOT NULL CHECK (on_start IN ('ignore', 'scan')),
  -- no reference: a watcher outlives its task
  target_task_id TEXT NOT NULL,
  target_task_name TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- a change of the selection and each switch begin another observation: what was kept of a former one is obsolete
  observation INTEGER NOT NULL,
  observed_from INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK ((kind = 'directory') = (pattern IS NOT NULL)),
  CHECK (kind = 'directory' OR recursive = 0),
  CHECK (max_wait_ms >= debounce_ms + stability_ms)
) STRICT;
CREATE INDEX filesystem_watchers_by_time ON filesystem_watchers (created_at, id);
CREATE INDEX filesystem_watchers_by_target ON filesystem_watchers (target_task_id, created_at, id);
CREATE INDEX filesystem_watchers_by_switch ON filesystem_watchers (enabled, created_at, id);

ALTER TABLE runs ADD COLUMN source_watcher_id TEXT;
CREATE INDEX runs_by_watcher ON runs (source_watcher_id, queued_at, id) WHERE source_watcher_id IS NOT NULL;
-- A watcher asks for its next run when the one before it has ended.
CREATE INDEX runs_unfinished_of_watcher ON runs (source_watcher_id)
  WHERE source_watcher_id IS NOT NULL AND state IN ('queued', 'dispatching', 'running', 'cancelling');
