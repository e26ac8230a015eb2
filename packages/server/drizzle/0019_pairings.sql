-- Offers to enrol one client. Of a phrase, only a salted hash is stored.
CREATE TABLE pairings (
  id TEXT PRIMARY KEY,
  -- null until the pairing has created its own actor
  actor_id TEXT REFERENCES actors (id),
  -- of the actor that the pairing creates; the actor itself may be renamed later
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  capability TEXT NOT NULL CHECK (capability IN ('observe', 'operate', 'manage', 'enroll')),
  kind TEXT NOT NULL CHECK (kind IN ('json', 'cli', 'desktop')),
  salt BLOB NOT NULL,
  phrase_hash BLOB NOT NULL,
  tries INTEGER NOT NULL CHECK (tries >= 0),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  CHECK (used_at IS NULL OR (actor_id IS NOT NULL AND tries > 0))
) STRICT;
CREATE INDEX pairings_by_time ON pairings (created_at, id);
CREATE INDEX pairings_by_expiry ON pairings (expires_at);
CREATE INDEX pairings_unused_by_name ON pairings (name_key) WHERE actor_id IS NULL;
CREATE INDEX pairings_unused_of_actor ON pairings (actor_id) WHERE used_at IS NULL;

-- A client may ask for less than its actor may do.
ALTER TABLE credentials ADD COLUMN capability TEXT CHECK (capability IN ('observe', 'operate', 'manage', 'enroll'));
