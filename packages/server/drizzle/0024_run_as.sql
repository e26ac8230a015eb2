-- The user that runs a task; null for the daemon's own.
ALTER TABLE tasks ADD COLUMN run_as TEXT;
