-- So that the newest end of a source is found, which need not be that of the run asked for last.
CREATE INDEX runs_by_end ON runs (task_id, ended_at, id) WHERE ended_at IS NOT NULL AND state <> 'skipped';
