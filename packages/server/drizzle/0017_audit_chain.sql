-- Both ends of the trail are kept with a message authentication code, so that rows which this program pruned can be told
-- from rows that another program removed. The code needs the sealing key: the step of this migration computes it for the
-- rows that are already here.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- 0, and no hash, before the first row
  number INTEGER NOT NULL,
  hash TEXT,
  authenticated_since INTEGER NOT NULL,
  tampered_at INTEGER,
  mac BLOB NOT NULL,
  CHECK ((number = 0) = (hash IS NULL))
) STRICT;
ALTER TABLE audit_anchor ADD COLUMN mac BLOB NOT NULL DEFAULT x'';
