-- A timeline that counts the runs of a task finds those that stand for other scheduled times too, which are few.
CREATE INDEX runs_merged ON runs (task_id, ended_at, id) WHERE coalesced_from IS NOT NULL;
