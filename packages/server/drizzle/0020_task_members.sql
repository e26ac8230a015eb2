-- SQLite cannot change a check, so the table is built anew: `on_conflict` may be `replace`. Tasks with the same
-- concurrency key share one limit. `on_lost` decides whether an attempt that was lost is retried.
CREATE TABLE new_tasks (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT,
  group_id TEXT REFERENCES groups (id),
  lifecycle TEXT NOT NULL CHECK (lifecycle IN ('draft', 'active', 'archived')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  command_json TEXT,
  working_directory TEXT,
  environment_names_json TEXT NOT NULL,
  environment_sealed BLOB,
  standard_input_sealed BLOB,
  timeout_ms INTEGER,
  kill_grace_ms INTEGER NOT NULL,
  retry_json TEXT NOT NULL,
  on_lost TEXT NOT NULL CHECK (on_lost IN ('fail', 'retry')),
  priority INTEGER NOT NULL,
  concurrency_limit INTEGER NOT NULL,
  concurrency_key TEXT,
  on_conflict TEXT NOT NULL CHECK (on_conflict IN ('queue', 'skip', 'replace')),
  success_exit_codes_json TEXT NOT NULL,
  output_bytes_max INTEGER NOT NULL,
  expect_success_within_ms INTEGER,
  retention_runs INTEGER NOT NULL,
  retention_age_ms INTEGER NOT NULL,
  retention_bytes INTEGER NOT NULL,
  labels_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
-- 1 TiB: an upgrade deletes no history that nobody asked to delete.
INSERT INTO new_tasks
  SELECT id, name, name_key, description, group_id, lifecycle, enabled, command_json, working_directory,
    environment_names_json, environment_sealed, standard_input_sealed, timeout_ms, kill_grace_ms, retry_json, 'fail',
    priority, concurrency_limit, NULL, on_conflict, success_exit_codes_json, output_bytes_max, NULL, retention_runs,
    retention_age_ms, 1099511627776, labels_json, created_at, updated_at, revision
  FROM tasks;
DROP TABLE tasks;
ALTER TABLE new_tasks RENAME TO tasks;
CREATE UNIQUE INDEX tasks_one_name_a_group ON tasks (coalesce(group_id, ''), name_key);
CREATE INDEX tasks_by_time ON tasks (created_at, id);
CREATE INDEX tasks_by_group ON tasks (group_id, created_at, id);
CREATE INDEX tasks_by_switch ON tasks (enabled, created_at, id);
CREATE INDEX tasks_by_concurrency_key ON tasks (concurrency_key) WHERE concurrency_key IS NOT NULL;

-- Why a run is being cancelled; null for a run that is not, and for one that an earlier version cancelled.
ALTER TABLE runs ADD COLUMN cancel_cause TEXT CHECK (cancel_cause IN ('cancelled', 'replaced'));

-- What the runs of a task left, which changes with each end: in a table of its own, because a task's row may be large.
CREATE TABLE task_results (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  -- the output that is kept of all attempts that have ended
  kept_bytes INTEGER NOT NULL,
  last_success_at INTEGER,
  -- when the task was created, enabled or activated last
  counted_from INTEGER NOT NULL,
  -- when a success will be overdue; null while none is expected
  overdue_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX task_results_overdue ON task_results (overdue_at) WHERE overdue_at IS NOT NULL;
INSERT INTO task_results
  SELECT
    tasks.id,
    coalesce(
      (SELECT sum(attempts.stdout_bytes - attempts.stdout_cut + attempts.stderr_bytes - attempts.stderr_cut)
        FROM runs JOIN attempts ON attempts.run_id = runs.id
        WHERE runs.task_id = tasks.id),
      0
    ),
    (SELECT max(ended_at) FROM runs WHERE task_id = tasks.id AND outcome = 'success'),
    tasks.created_at,
    NULL
  FROM tasks;
-- Output of deleted runs that may still be on disk: a crash after the deletion leaves it there.
CREATE TABLE removed_outputs (attempt_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- A constant delay of each schedule, so that schedules with the same times do not all start at once.
ALTER TABLE schedules ADD COLUMN spread INTEGER NOT NULL DEFAULT 0 CHECK (spread IN (0, 1));
ALTER TABLE schedules ADD COLUMN spread_ms INTEGER NOT NULL DEFAULT 0;
