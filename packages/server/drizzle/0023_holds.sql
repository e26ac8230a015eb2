-- A hold on all tasks, or on the tasks of a group. While it exists, no run of them starts.
CREATE TABLE holds (
  id TEXT NOT NULL PRIMARY KEY,
  group_id TEXT REFERENCES groups (id),
  cause TEXT NOT NULL CHECK (cause IN ('requested', 'restored', 'moved')),
  reason TEXT,
  until_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX holds_by_group ON holds (coalesce(group_id, ''));
