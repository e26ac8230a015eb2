-- A timeline finds the runs that lasted through a gap without reading the others.
DROP INDEX runs_by_end;
CREATE INDEX runs_by_end ON runs (task_id, ended_at, id, state, started_at) WHERE ended_at IS NOT NULL;

-- The tasks that failed since a time, however many others ran.
CREATE INDEX runs_failed ON runs (ended_at, task_id, id) WHERE +outcome = 'failure';
