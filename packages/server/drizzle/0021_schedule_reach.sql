-- The highest cursor of a schedule, from before the clock was set back. Once the clock has passed it again, no instant up
-- to it is made up for or runs a second time.
ALTER TABLE schedules ADD COLUMN reached_at INTEGER;
