-- A timeline counts ends by their states without reading the runs.
DROP INDEX runs_by_end;
CREATE INDEX runs_by_end ON runs (task_id, ended_at, id, state) WHERE ended_at IS NOT NULL;
