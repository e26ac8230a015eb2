-- Actors besides the built-in one, and the credentials with which they call. Rebuilt, because a new column of an
-- existing table cannot be NOT NULL without a default.
CREATE TABLE new_actors (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('local', 'remote')),
  capability TEXT NOT NULL CHECK (capability IN ('observe', 'operate', 'manage', 'enroll')),
  -- an actor is expired when its time has passed, which no column says
  state TEXT NOT NULL CHECK (state IN ('active', 'disabled', 'revoked')),
  built_in INTEGER NOT NULL CHECK (built_in IN (0, 1)),
  expires_at INTEGER,
  last_seen_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK (built_in = (kind = 'local')),
  CHECK (built_in = 0 OR (state = 'active' AND expires_at IS NULL))
) STRICT;
INSERT INTO new_actors
  SELECT id, name, lower(name), CASE built_in WHEN 1 THEN 'local' ELSE 'remote' END, capability, 'active', built_in,
         NULL, NULL, created_at, created_at, 1
  FROM actors;
DROP TABLE actors;
ALTER TABLE new_actors RENAME TO actors;
CREATE UNIQUE INDEX actors_one_built_in ON actors (built_in) WHERE built_in = 1;
-- the name of a revoked actor is free
CREATE UNIQUE INDEX actors_by_name ON actors (name_key) WHERE state <> 'revoked';
CREATE INDEX actors_by_time ON actors (created_at, id);
CREATE INDEX actors_by_state ON actors (state, created_at, id);
CREATE INDEX actors_by_expiry ON actors (expires_at) WHERE expires_at IS NOT NULL AND state <> 'revoked';

-- Of an access token, only its public part and a salted hash are stored.
CREATE TABLE credentials (
  id TEXT PRIMARY KEY,
  actor_id TEXT NOT NULL REFERENCES actors (id),
  display_name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('json', 'cli', 'desktop')),
  public_part TEXT NOT NULL UNIQUE,
  salt BLOB NOT NULL,
  token_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX credentials_of_actor ON credentials (actor_id, created_at, id);
CREATE INDEX credentials_unrevoked ON credentials (actor_id) WHERE revoked_at IS NULL;
