-- Keys that start one task. The key itself is sealed, and found by its hash.
CREATE TABLE trigger_sets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  -- no reference: a set outlives its task
  target_task_id TEXT NOT NULL,
  target_task_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX trigger_sets_by_time ON trigger_sets (created_at, id);
CREATE INDEX trigger_sets_by_target ON trigger_sets (target_task_id, created_at, id);

CREATE TABLE triggers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  set_id TEXT REFERENCES trigger_sets (id),
  set_position INTEGER,
  -- no reference: a trigger outlives its task
  target_task_id TEXT NOT NULL,
  -- as it was when the task was last looked at; the task's own while it is there
  target_task_name TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  key_prefix TEXT NOT NULL,
  key_hash BLOB NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  key_sealed BLOB NOT NULL,
  -- 1 for the key it was made with, one more with each rotation
  key_number INTEGER NOT NULL,
  last_fired_at INTEGER,
  fire_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK ((set_id IS NULL) = (set_position IS NULL))
) STRICT;
CREATE INDEX triggers_by_time ON triggers (created_at, id);
CREATE INDEX triggers_by_target ON triggers (target_task_id, created_at, id);
CREATE UNIQUE INDEX triggers_one_a_position ON triggers (set_id, set_position) WHERE set_id IS NOT NULL;
