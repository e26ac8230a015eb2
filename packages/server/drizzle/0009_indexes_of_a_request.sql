-- A run that is asked for enters no index that it can do without: those that wait and those that live are found apart, and
-- few wait for a later time.
DROP INDEX runs_unfinished;
CREATE INDEX runs_live_of_task ON runs (task_id) WHERE state IN ('dispatching', 'running', 'cancelling');
-- The + keeps SQLite from the index by state, whose rows it would sort: it takes few of the runs to be queued.
DROP INDEX runs_waiting;
DROP INDEX runs_waiting_until;
CREATE INDEX runs_waiting ON runs (priority DESC, queued_at, scheduled_for, id) WHERE +state = 'queued';
CREATE INDEX runs_waiting_until ON runs (not_before) WHERE +state = 'queued' AND not_before > 0;
