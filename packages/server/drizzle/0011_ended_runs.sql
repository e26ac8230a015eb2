-- Too many ended runs of a task are found in the order they were made, which no clock that was set back changes; too old
-- ones, and the newest end, by when they ended.
DROP INDEX runs_ended;
CREATE INDEX runs_ended ON runs (task_id) WHERE ended_at IS NOT NULL;
CREATE INDEX runs_by_end ON runs (task_id, ended_at, id) WHERE ended_at IS NOT NULL;
