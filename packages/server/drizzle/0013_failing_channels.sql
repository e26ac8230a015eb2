-- Since when a channel fails and how often, so that a list of channels reads no deliveries.
ALTER TABLE notification_channels ADD COLUMN failing_since INTEGER;
ALTER TABLE notification_channels ADD COLUMN consecutive_failures INTEGER NOT NULL DEFAULT 0
  CHECK ((consecutive_failures = 0) = (failing_since IS NULL));
-- what the deliveries that are still kept say; of each group ended_at is the one of its lowest number
UPDATE notification_channels SET failing_since = since, consecutive_failures = failures
FROM (
  SELECT failed.channel_id, count(*) AS failures, failed.ended_at AS since, min(failed.ended_number)
  FROM notification_deliveries AS failed
  WHERE failed.state = 'failed' AND failed.ended_number > coalesce(
    (SELECT max(ended_number) FROM notification_deliveries
      WHERE channel_id = failed.channel_id AND state = 'succeeded'), 0)
  GROUP BY failed.channel_id
)
WHERE channel_id = notification_channels.id;
