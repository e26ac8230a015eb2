-- Which delivery a redelivery repeats, so that no call repeats it a second time by mistake.
ALTER TABLE notification_deliveries ADD COLUMN redelivery_of TEXT;
CREATE INDEX notification_deliveries_redeliveries ON notification_deliveries (redelivery_of) WHERE redelivery_of IS NOT NULL;
-- a run's end makes one delivery a channel: each later one of the same run and channel repeats the one before it
UPDATE notification_deliveries SET redelivery_of = former
FROM (
  SELECT id AS later, lag(id) OVER (PARTITION BY channel_id, run_id ORDER BY rowid) AS former
  FROM notification_deliveries WHERE run_id IS NOT NULL
)
WHERE id = later AND former IS NOT NULL;

-- The answers of calls that redeliver many, for a repeated call with the same Idempotency-Key.
CREATE TABLE notification_redeliveries (
  id TEXT PRIMARY KEY,
  result_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notification_redeliveries_by_time ON notification_redeliveries (created_at);

-- Deliveries that one write has queued are sent in their order, which is that of the rowid, not of the ids.
DROP INDEX notification_deliveries_pending;
CREATE INDEX notification_deliveries_pending ON notification_deliveries (channel_id, next_attempt_at) WHERE state = 'pending';
