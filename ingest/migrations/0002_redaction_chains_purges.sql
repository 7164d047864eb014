-- Version 2: what was done to a file's texts, hash chains of audit files, and purges.

ALTER TABLE files ADD COLUMN redaction VARCHAR DEFAULT 'none';
COMMENT ON TABLE meta IS 'Grain: one row per fact about the store itself (schema_version, created, gatecov_version, views_sha256, redact, redact_key).';

-- Columns that had no comment yet.
COMMENT ON COLUMN checks.check_id IS 'Id of the check, such as socratic.shape.no_digits.';
COMMENT ON COLUMN checks.family IS 'Checks that are evaluated together.';
COMMENT ON COLUMN checks.title IS 'What it is called.';
COMMENT ON COLUMN checks.source_sha256 IS 'Digest of that file when it was registered.';
COMMENT ON COLUMN coverage.file_id IS 'The file.';
COMMENT ON COLUMN coverage.day IS 'The day (UTC).';
COMMENT ON COLUMN events.file_id IS 'The file that it stands in.';
COMMENT ON COLUMN events.agent IS 'Agent that the record or an envelope names; NULL where none does.';
COMMENT ON COLUMN events.level IS 'Level at which it was logged, as a word.';
COMMENT ON COLUMN files.file_id IS 'Number of the file in this store.';
COMMENT ON COLUMN files.mtime_ns IS 'Time of its last change when last read, in nanoseconds since 1970.';
COMMENT ON COLUMN files.inode IS 'Its inode when last read.';
COMMENT ON COLUMN file_names.mtime_ns IS 'Time of its last change when it was seen, in nanoseconds since 1970.';
COMMENT ON COLUMN file_names.inode IS 'Its inode when it was seen.';
COMMENT ON COLUMN file_names.file_id IS 'The file that stood under this name.';
COMMENT ON COLUMN fires.event_id IS 'The event that gives the reason.';
COMMENT ON COLUMN inferred_runs.event_id IS 'The event.';
COMMENT ON COLUMN meta.key IS 'Name of the fact.';
COMMENT ON COLUMN meta.value IS 'The fact, as text.';
COMMENT ON COLUMN rejects.file_id IS 'The file that it stands in.';
COMMENT ON COLUMN rejects.line IS 'Line in the file, from 1.';
COMMENT ON COLUMN rejects.byte_offset IS 'Where the line starts, in bytes of decompressed content.';
COMMENT ON COLUMN rejects.part IS 'Which record of that line, from 0.';
COMMENT ON COLUMN files.redaction IS 'What was done to its texts before they were stored: none, names or text; several, joined by ", ", where it was read in parts under different choices.';

CREATE TABLE chains (
    file_id INTEGER PRIMARY KEY,
    status VARCHAR NOT NULL,
    chains BIGINT NOT NULL,
    events BIGINT NOT NULL,
    line BIGINT,
    why VARCHAR NOT NULL,
    ends VARCHAR[] NOT NULL,
    verified TIMESTAMP NOT NULL
);
COMMENT ON TABLE chains IS 'Grain: one row per file with audit events that carry a hash. A tail that was cut off cannot be detected: a chain is whole up to where it ends.';
COMMENT ON COLUMN chains.file_id IS 'The file.';
COMMENT ON COLUMN chains.status IS 'intact, broken, or not a chain (no event in it could be read as one with a hash).';
COMMENT ON COLUMN chains.chains IS 'Chains (turns) that begin in it, up to the first fault.';
COMMENT ON COLUMN chains.events IS 'Events whose hash was verified, up to the first fault.';
COMMENT ON COLUMN chains.line IS 'Line of the first fault, from 1; NULL where there is none.';
COMMENT ON COLUMN chains.why IS 'What is wrong there, in words; empty where nothing is.';
COMMENT ON COLUMN chains.ends IS 'Newest hashes of the last chains in it, on which the next file of the stream may follow.';
COMMENT ON COLUMN chains.verified IS 'When it was verified.';

CREATE TABLE purges (
    purged TIMESTAMP NOT NULL,
    before TIMESTAMP,
    session_sha256 VARCHAR,
    events BIGINT NOT NULL,
    fires BIGINT NOT NULL,
    rejects BIGINT NOT NULL
);
COMMENT ON TABLE purges IS 'Grain: one row per purge. What it removed stays out: an ingest leaves out records that it would have removed.';
COMMENT ON COLUMN purges.purged IS 'When it was done.';
COMMENT ON COLUMN purges.before IS 'Records of an earlier time than this were removed; NULL where a session was.';
COMMENT ON COLUMN purges.session_sha256 IS 'SHA-256 of the name of the session that was removed; NULL where a time was given.';
COMMENT ON COLUMN purges.events IS 'Events that it removed.';
COMMENT ON COLUMN purges.fires IS 'Reasons that it removed with them.';
COMMENT ON COLUMN purges.rejects IS 'Rejects that it removed.';
