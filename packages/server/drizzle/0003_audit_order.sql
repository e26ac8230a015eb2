-- Rows of one millisecond are listed in the order of the chain: an index ends in the row's number by itself. Nothing is
-- looked up by its id, so that has no index any more, which each change of anything would have to keep.
CREATE TABLE new_audit_events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  transport TEXT NOT NULL CHECK (transport IN ('local', 'remote')),
  operation TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id TEXT,
  result TEXT NOT NULL CHECK (result IN ('allowed', 'denied', 'failed')),
  error_code TEXT,
  request_id TEXT NOT NULL,
  changed_fields_json TEXT NOT NULL,
  previous_hash TEXT,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO new_audit_events SELECT * FROM audit_events;
DROP TABLE audit_events;
ALTER TABLE new_audit_events RENAME TO audit_events;
CREATE INDEX audit_events_by_time ON audit_events (at);
CREATE INDEX audit_events_by_actor ON audit_events (actor_id, at);
CREATE INDEX audit_events_by_operation ON audit_events (operation, at);
CREATE INDEX audit_events_by_result ON audit_events (result, at);
