-- Which task is started when a run of another has ended, and how that run must have ended.
CREATE TABLE chains (
  id TEXT PRIMARY KEY,
  source_task_id TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  target_task_id TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
  on_outcome TEXT NOT NULL CHECK (on_outcome IN ('success', 'failure', 'any')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  delay_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK (source_task_id <> target_task_id)
) STRICT;
-- The steps of the walk that looks for a cycle, in both directions.
CREATE UNIQUE INDEX chains_down ON chains (source_task_id, target_task_id, on_outcome);
CREATE INDEX chains_up ON chains (target_task_id, source_task_id);
CREATE INDEX chains_by_time ON chains (created_at, id);
CREATE INDEX chains_by_source ON chains (source_task_id, created_at, id);
CREATE INDEX chains_by_target ON chains (target_task_id, created_at, id);

-- The end of the run that started this one: its history may be pruned before this one starts.
ALTER TABLE runs ADD COLUMN source_outcome TEXT CHECK (source_outcome IN ('success', 'failure'));
ALTER TABLE runs ADD COLUMN source_exit_code INTEGER;
CREATE INDEX runs_by_chain ON runs (source_chain_id, queued_at, id) WHERE source_chain_id IS NOT NULL;
