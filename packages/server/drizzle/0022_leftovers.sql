-- Whether the background processes that a task leaves keep running, as under cron, or are ended.
ALTER TABLE tasks ADD COLUMN leftovers TEXT NOT NULL DEFAULT 'leave' CHECK (leftovers IN ('leave', 'kill'));
