-- A hold on all tasks, or on the tasks of a group. While it exists, no run of them starts.
-- is_settled: whether the work of the former machine was ended, which comes before anything else after a restore.
CREATE TABLE holds (
  id TEXT NOT NULL PRIMARY KEY,
  group_id TEXT REFERENCES groups (id),
  cause TEXT NOT NULL CHECK (cause IN ('requested', 'restored', 'moved')),
  reason TEXT,
  until_at INTEGER,
  is_settled INTEGER NOT NULL CHECK (is_settled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX holds_by_group ON holds (coalesce(group_id, ''));
