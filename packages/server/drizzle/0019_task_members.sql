-- Tasks with the same key share one limit of concurrent runs.
ALTER TABLE tasks ADD COLUMN concurrency_key TEXT;
CREATE INDEX tasks_by_concurrency_key ON tasks (concurrency_key) WHERE concurrency_key IS NOT NULL;
