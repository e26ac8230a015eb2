-- Signing secrets that a channel had before, two of each at most: each signs beside the present one until its time is over.
CREATE TABLE notification_former_secrets (
  -- counts replacements: whatever clocks do, the newest have the highest
  number INTEGER PRIMARY KEY,
  channel_id TEXT NOT NULL REFERENCES notification_channels (id) ON DELETE CASCADE,
  secret_sealed BLOB NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX notification_former_secrets_by_channel ON notification_former_secrets (channel_id, number);
CREATE INDEX notification_former_secrets_by_end ON notification_former_secrets (until);
INSERT INTO notification_former_secrets (channel_id, secret_sealed, until)
  SELECT id, former_signing_secret_sealed, former_signing_secret_until FROM notification_channels
  WHERE former_signing_secret_sealed IS NOT NULL;
ALTER TABLE notification_channels DROP COLUMN former_signing_secret_sealed;
ALTER TABLE notification_channels DROP COLUMN former_signing_secret_until;
