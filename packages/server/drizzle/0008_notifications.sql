-- Where to send notifications of ended runs. Sealed columns are erased by being overwritten: secure_delete is on.
CREATE TABLE notification_channels (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('webhook')),
  endpoint_summary TEXT NOT NULL,
  endpoint_sealed BLOB NOT NULL,
  authorization_sealed BLOB,
  signing_secret_sealed BLOB,
  -- the one before, which signs too until then
  former_signing_secret_sealed BLOB,
  former_signing_secret_until INTEGER,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX notification_channels_by_time ON notification_channels (created_at, id);

-- A task or a group whose assignments were ever set; without a row it is at revision 1 and has none.
CREATE TABLE notification_scopes (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('task', 'group')),
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notification_assignments (
  scope_id TEXT NOT NULL REFERENCES notification_scopes (id) ON DELETE CASCADE,
  channel_id TEXT NOT NULL REFERENCES notification_channels (id),
  position INTEGER NOT NULL,
  on_success INTEGER NOT NULL CHECK (on_success IN (0, 1)),
  on_failure INTEGER NOT NULL CHECK (on_failure IN (0, 1)),
  PRIMARY KEY (scope_id, channel_id),
  CHECK (on_success = 1 OR on_failure = 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX notification_assignments_by_channel ON notification_assignments (channel_id);

-- Channel, task and run are named, not referred to: the evidence outlives them.
CREATE TABLE notification_deliveries (
  id TEXT PRIMARY KEY,
  channel_id TEXT NOT NULL,
  channel_name TEXT NOT NULL,
  endpoint_summary TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('run.completed', 'test')),
  task_id TEXT,
  run_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'claimed', 'succeeded', 'failed')),
  attempt_count INTEGER NOT NULL CHECK (attempt_count BETWEEN 0 AND 3),
  last_status INTEGER,
  diagnostic TEXT,
  -- the bytes that are sent, the same in every attempt
  payload TEXT NOT NULL,
  -- endpoint, authorization and signing secrets as they were when it was queued; gone when it has ended
  target_sealed BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  next_attempt_at INTEGER,
  claimed_at INTEGER,
  ended_at INTEGER,
  -- counts ends: whatever clocks do, the newest have the highest
  ended_number INTEGER,
  CHECK ((target_sealed IS NULL) = (state IN ('succeeded', 'failed'))),
  CHECK ((ended_number IS NULL) = (target_sealed IS NOT NULL))
) STRICT;
CREATE INDEX notification_deliveries_by_time ON notification_deliveries (created_at, id);
CREATE INDEX notification_deliveries_by_channel ON notification_deliveries (channel_id, created_at, id);
CREATE INDEX notification_deliveries_by_task ON notification_deliveries (task_id, created_at, id) WHERE task_id IS NOT NULL;
CREATE INDEX notification_deliveries_by_run ON notification_deliveries (run_id, created_at, id) WHERE run_id IS NOT NULL;
CREATE INDEX notification_deliveries_by_state ON notification_deliveries (state, created_at, id);
CREATE INDEX notification_deliveries_pending ON notification_deliveries (channel_id, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX notification_deliveries_claimed ON notification_deliveries (claimed_at, id) WHERE state = 'claimed';
CREATE UNIQUE INDEX notification_deliveries_ended ON notification_deliveries (ended_number) WHERE ended_number IS NOT NULL;
