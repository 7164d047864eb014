-- Version 3: since when each check's source is as it is, so that a change of it is known from the store.

CREATE TABLE check_sources (
    check_id VARCHAR NOT NULL,
    source_sha256 VARCHAR NOT NULL,
    first_seen TIMESTAMP NOT NULL,
    last_seen TIMESTAMP NOT NULL
);
COMMENT ON TABLE check_sources IS 'Grain: one row per check and stretch of ingests during which its source was the same; two rows of one check tell that it changed.';
COMMENT ON COLUMN check_sources.source_sha256 IS 'Digest of the file of the live code.';
COMMENT ON COLUMN check_sources.first_seen IS 'First ingest that found the source so (UTC).';
COMMENT ON COLUMN check_sources.last_seen IS 'Last ingest that found it so (UTC); it changed between this and the first_seen of the next row.';
COMMENT ON COLUMN check_sources.check_id IS 'The check.';
