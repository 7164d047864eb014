-- Version 4: what is derived from events and fires, so that a question need not work it out anew. It is filled as soon
-- as this step is taken (derive.sql).

CREATE TABLE places (
    place INTEGER NOT NULL,
    name VARCHAR NOT NULL
);
COMMENT ON TABLE places IS 'Grain: one row per session, and per stream with records that name none. Derived from events (derived.sql), as are stage_runs, judged and objections.';
COMMENT ON COLUMN places.place IS 'Number that stands for it in the derived tables.';
COMMENT ON COLUMN places.name IS 'The session, or the stream.';

CREATE TABLE stale (
    place INTEGER NOT NULL,
    from_event BIGINT NOT NULL
);
COMMENT ON TABLE stale IS 'Grain: one row per change to the records of a place that is not in the derived tables yet; the views work such a place out anew.';
COMMENT ON COLUMN stale.place IS 'The place.';
COMMENT ON COLUMN stale.from_event IS 'Lowest event number among what changed.';

CREATE TABLE stage_runs (
    run BIGINT NOT NULL,
    place INTEGER NOT NULL,
    session BIGINT NOT NULL,
    segment INTEGER NOT NULL,
    inferred BOOLEAN NOT NULL,
    agent VARCHAR,
    version VARCHAR,
    first_time TIMESTAMP,
    last_time TIMESTAMP,
    first_event BIGINT NOT NULL,
    rejected_drafts BIGINT NOT NULL,
    failed_calls BIGINT NOT NULL,
    attempts INTEGER,
    outcome VARCHAR,
    summary BIGINT,
    summary_time TIMESTAMP
);
COMMENT ON TABLE stage_runs IS 'Grain: one row per Socratic run, derived from events. The view runs names them.';
COMMENT ON COLUMN stage_runs.run IS 'The event that it begins with, in the order of time.';
COMMENT ON COLUMN stage_runs.place IS 'The session or stream that it stands in.';
COMMENT ON COLUMN stage_runs.session IS 'Number of its conversation: that of its place, or of an inferred run minus the event that it begins with.';
COMMENT ON COLUMN stage_runs.segment IS 'Its number in its conversation, from 1.';
COMMENT ON COLUMN stage_runs.inferred IS 'True where its lines name no session.';
COMMENT ON COLUMN stage_runs.agent IS 'Agent that its lines name; NULL where none does.';
COMMENT ON COLUMN stage_runs.version IS 'Version that its lines name; NULL where none does.';
COMMENT ON COLUMN stage_runs.first_time IS 'Time of its first dated line (UTC).';
COMMENT ON COLUMN stage_runs.last_time IS 'Time of its last dated line (UTC).';
COMMENT ON COLUMN stage_runs.first_event IS 'Lowest event number among its lines.';
COMMENT ON COLUMN stage_runs.rejected_drafts IS 'Number of draft rejected lines.';
COMMENT ON COLUMN stage_runs.failed_calls IS 'Number of writer calls that failed.';
COMMENT ON COLUMN stage_runs.attempts IS 'Writer calls as its summary reports them.';
COMMENT ON COLUMN stage_runs.outcome IS 'Outcome as its summary reports it.';
COMMENT ON COLUMN stage_runs.summary IS 'The event that is its summary; NULL where it has none, and so is not complete.';
COMMENT ON COLUMN stage_runs.summary_time IS 'Time of that (UTC).';

CREATE TABLE judged (
    event_id BIGINT NOT NULL,
    place INTEGER NOT NULL,
    run BIGINT,
    session BIGINT NOT NULL,
    time TIMESTAMP,
    agent VARCHAR,
    version VARCHAR,
    draft BOOLEAN NOT NULL,
    template BOOLEAN NOT NULL,
    attempt INTEGER,
    objection BIGINT,
    family VARCHAR,
    scope VARCHAR,
    inferred BOOLEAN NOT NULL,
    item_agent VARCHAR,
    item_version VARCHAR,
    objected BOOLEAN NOT NULL,
    first_draft BOOLEAN,
    stops BOOLEAN NOT NULL
);
COMMENT ON TABLE judged IS 'Grain: one row per record that counts and gives reasons, is a rejected draft, or is another item that a family judged; derived from events and fires. Accepted drafts and slot sets that passed are those of stage_runs.';
COMMENT ON COLUMN judged.event_id IS 'The record.';
COMMENT ON COLUMN judged.place IS 'The session or stream that it stands in.';
COMMENT ON COLUMN judged.run IS 'The Socratic run that it is a line of; NULL outside them.';
COMMENT ON COLUMN judged.session IS 'Number of its conversation: that of its place, or as in stage_runs.';
COMMENT ON COLUMN judged.time IS 'When it was logged (UTC).';
COMMENT ON COLUMN judged.agent IS 'Agent that it names.';
COMMENT ON COLUMN judged.version IS 'Version that it names.';
COMMENT ON COLUMN judged.draft IS 'True for a draft that was rejected.';
COMMENT ON COLUMN judged.template IS 'True for a template that failed its checks.';
COMMENT ON COLUMN judged.attempt IS 'Attempt that a stage line names.';
COMMENT ON COLUMN judged.objection IS 'The reasons that it gives, in objections; NULL where it gives none.';
COMMENT ON COLUMN judged.family IS 'Family that judged it; NULL where it is no item.';
COMMENT ON COLUMN judged.scope IS 'Prefix of the ids of the checks that judged it; NULL where the whole family did.';
COMMENT ON COLUMN judged.inferred IS 'True where its session was not logged.';
COMMENT ON COLUMN judged.item_agent IS 'Agent of the item: that of its run, else its own.';
COMMENT ON COLUMN judged.item_version IS 'Version of the item: that of its run, else its own.';
COMMENT ON COLUMN judged.objected IS 'True where some check objected, also if no reason was logged.';
COMMENT ON COLUMN judged.first_draft IS 'True for the draft of attempt 1; NULL outside Socratic shape.';
COMMENT ON COLUMN judged.stops IS 'True where its reasons tell how far the chain of a first-match family went.';

CREATE TABLE objections (
    objection BIGINT NOT NULL,
    position INTEGER NOT NULL,
    family VARCHAR NOT NULL,
    fragment VARCHAR NOT NULL,
    check_id VARCHAR
);
COMMENT ON TABLE objections IS 'Grain: one row per reason of each list of reasons that some record gives, whole and in that order; derived from fires.';
COMMENT ON COLUMN objections.objection IS 'Number of the list.';
COMMENT ON COLUMN objections.position IS 'Place of the reason in it, from 1.';
COMMENT ON COLUMN objections.family IS 'Family that the reason belongs to.';
COMMENT ON COLUMN objections.fragment IS 'The reason as logged.';
COMMENT ON COLUMN objections.check_id IS 'Check that it belongs to; NULL while unmapped.';
COMMENT ON TABLE meta IS 'Grain: one row per fact about the store itself (schema_version, created, gatecov_version, views_sha256, derived_sha256, redact, redact_key).';
