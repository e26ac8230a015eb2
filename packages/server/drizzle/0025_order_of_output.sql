-- What the order and times of the kept output take on disk. The output of former attempts has none.
ALTER TABLE attempts ADD COLUMN order_bytes INTEGER NOT NULL DEFAULT 0;
