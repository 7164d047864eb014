-- Version 5: how far records are stored beyond what counts as read, so that two ingests that end a batch at different
-- lines of one file tell their rows apart.

ALTER TABLE files ADD COLUMN beyond BIGINT;
COMMENT ON COLUMN files.beyond IS 'Byte up to which records are stored that do not count as read yet, because an ingest is under way or was cut off; they give way when it is read on. NULL for none.';
