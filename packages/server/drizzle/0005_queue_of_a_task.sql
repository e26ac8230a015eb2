-- How many runs of a task wait is counted before each request, from this index alone.
CREATE INDEX runs_queued ON runs (task_id) WHERE state = 'queued';
