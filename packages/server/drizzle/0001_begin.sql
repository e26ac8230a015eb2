-- Instants are milliseconds since 1970 in UTC; durations are milliseconds; *_json columns hold JSON.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE manifest (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  installation_id TEXT NOT NULL,
  display_name TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

CREATE TABLE actors (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  capability TEXT NOT NULL CHECK (capability IN ('observe', 'operate', 'manage', 'enroll')),
  built_in INTEGER NOT NULL CHECK (built_in IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX actors_one_built_in ON actors (built_in) WHERE built_in = 1;

CREATE TABLE audit_events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  transport TEXT NOT NULL CHECK (transport IN ('local', 'remote')),
  operation TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id TEXT,
  result TEXT NOT NULL CHECK (result IN ('allowed', 'denied', 'failed')),
  error_code TEXT,
  request_id TEXT NOT NULL,
  changed_fields_json TEXT NOT NULL,
  previous_hash TEXT,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_events_by_time ON audit_events (at, id);
CREATE INDEX audit_events_by_actor ON audit_events (actor_id, at, id);
CREATE INDEX audit_events_by_operation ON audit_events (operation, at, id);
CREATE INDEX audit_events_by_result ON audit_events (result, at, id);

-- The last pruned row: what the oldest kept one must follow.
CREATE TABLE audit_anchor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE idempotency_keys (
  actor_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  resource_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (actor_id, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at);
CREATE INDEX idempotency_keys_by_key ON idempotency_keys (actor_id, key, at);

CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  parent_id TEXT REFERENCES groups (id),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  max_concurrent_runs INTEGER,
  time_zone TEXT,
  environment_names_json TEXT NOT NULL,
  environment_sealed BLOB,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX groups_by_time ON groups (created_at, id);
CREATE INDEX groups_by_parent ON groups (parent_id, created_at, id);

CREATE TABLE tasks (
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
  priority INTEGER NOT NULL,
  concurrency_limit INTEGER NOT NULL,
  on_conflict TEXT NOT NULL CHECK (on_conflict IN ('queue', 'skip')),
  success_exit_codes_json TEXT NOT NULL,
  output_bytes_max INTEGER NOT NULL,
  retention_runs INTEGER NOT NULL,
  retention_age_ms INTEGER NOT NULL,
  labels_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tasks_one_name_a_group ON tasks (coalesce(group_id, ''), name_key);
CREATE INDEX tasks_by_time ON tasks (created_at, id);
CREATE INDEX tasks_by_group ON tasks (group_id, created_at, id);

-- So that a list by label is found, not searched for.
CREATE TABLE task_labels (
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  PRIMARY KEY (key, value, task_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_labels_by_task ON task_labels (task_id);

CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('cron', 'interval', 'once', 'boot')),
  expression TEXT,
  every_ms INTEGER,
  at INTEGER,
  time_zone TEXT,
  jitter_ms INTEGER NOT NULL,
  misfire_policy TEXT NOT NULL CHECK (misfire_policy IN ('run_once', 'run_all', 'skip')),
  misfire_window_ms INTEGER NOT NULL,
  misfire_runs_max INTEGER NOT NULL,
  dst_gap TEXT NOT NULL CHECK (dst_gap IN ('run_after', 'skip')),
  dst_overlap TEXT NOT NULL CHECK (dst_overlap IN ('first', 'both')),
  starts_at INTEGER,
  ends_at INTEGER,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  paused_until INTEGER,
  -- the time from which an interval is counted
  anchor_at INTEGER NOT NULL,
  -- every instant up to here is decided
  cursor_at INTEGER NOT NULL,
  -- the first instant after the cursor, and when it is due with its jitter; null when there is none
  next_at INTEGER,
  due_at INTEGER,
  last_run_at INTEGER,
  -- the last boot that was recorded for a boot schedule
  boot_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX schedules_one_name_a_task ON schedules (task_id, name_key);
CREATE INDEX schedules_by_time ON schedules (created_at, id);
CREATE INDEX schedules_by_task ON schedules (task_id, created_at, id);
CREATE INDEX schedules_due ON schedules (due_at) WHERE due_at IS NOT NULL;

-- Periods in which the schedule was not due, for `why`: paused, disabled, changed, a clock set back.
CREATE TABLE schedule_gaps (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('paused', 'disabled', 'changed')),
  PRIMARY KEY (schedule_id, from_at, until_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  task_name TEXT NOT NULL,
  group_id TEXT,
  group_name TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'dispatching', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled', 'skipped')),
  outcome TEXT CHECK (outcome IN ('success', 'failure')),
  reason TEXT,
  reason_text TEXT,
  exit_code INTEGER,
  signal TEXT,
  attempt INTEGER NOT NULL,
  attempts_max INTEGER NOT NULL,
  "trigger" TEXT NOT NULL,
  source_schedule_id TEXT,
  scheduled_for INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  -- not before this instant: a later start that was requested, or the pause between two attempts
  not_before INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  duration_ms INTEGER,
  coalesced INTEGER NOT NULL,
  coalesced_from INTEGER,
  stdout_bytes INTEGER NOT NULL,
  stderr_bytes INTEGER NOT NULL,
  stdout_cut INTEGER NOT NULL,
  stderr_cut INTEGER NOT NULL,
  pid INTEGER,
  host TEXT,
  -- the current attempt, while there is one
  attempt_id TEXT,
  -- a person's cancel, committed before any signal
  cancel_requested_at INTEGER
) STRICT;
CREATE INDEX runs_by_time ON runs (queued_at, id);
CREATE INDEX runs_by_task ON runs (task_id, queued_at, id);
CREATE INDEX runs_by_group ON runs (group_id, queued_at, id) WHERE group_id IS NOT NULL;
CREATE INDEX runs_by_outcome ON runs (outcome, queued_at, id) WHERE outcome IS NOT NULL;
CREATE INDEX runs_by_state ON runs (state, queued_at, id);
CREATE INDEX runs_by_trigger ON runs ("trigger", queued_at, id);
CREATE INDEX runs_waiting ON runs (priority DESC, queued_at, scheduled_for, id) WHERE state = 'queued';
CREATE INDEX runs_waiting_until ON runs (not_before) WHERE state = 'queued';
CREATE INDEX runs_unfinished ON runs (task_id) WHERE state IN ('queued', 'dispatching', 'running', 'cancelling');
CREATE INDEX runs_live ON runs (attempt_id) WHERE state IN ('dispatching', 'running', 'cancelling');
CREATE INDEX runs_ended ON runs (task_id, queued_at, id) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX runs_one_an_instant ON runs (source_schedule_id, scheduled_for) WHERE source_schedule_id IS NOT NULL;

CREATE TABLE attempts (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  cause TEXT,
  exit_code INTEGER,
  signal TEXT,
  stdout_bytes INTEGER NOT NULL,
  stderr_bytes INTEGER NOT NULL,
  stdout_cut INTEGER NOT NULL,
  stderr_cut INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX attempts_by_run ON attempts (run_id, number);

-- What an import made, by the keys of its file, so that a repeated call can be answered again.
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  result_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
