-- The store: one DuckDB file, readable by any DuckDB client. All times are UTC.
-- Tables hold what was read; everything that is counted is derived from them, in derived.sql and views.sql.

CREATE TABLE meta (
    key   VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE meta IS 'Grain: one row per fact about the store itself (schema_version, created, gatecov_version, views_sha256, derived_sha256, redact, redact_key).';
COMMENT ON COLUMN meta.key IS 'Name of the fact.';
COMMENT ON COLUMN meta.value IS 'The fact, as text.';

CREATE TABLE checks (
    check_id VARCHAR PRIMARY KEY,
    family VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    "order" INTEGER NOT NULL,
    kept_because VARCHAR NOT NULL,
    source VARCHAR,
    source_sha256 VARCHAR,
    retired BOOLEAN NOT NULL
);
COMMENT ON TABLE checks IS 'Grain: one row per check of the catalog as it was at the newest ingest, retired ones included.';
COMMENT ON COLUMN checks.check_id IS 'Id of the check, such as socratic.shape.no_digits.';
COMMENT ON COLUMN checks.family IS 'Checks that are evaluated together.';
COMMENT ON COLUMN checks.title IS 'What it is called.';
COMMENT ON COLUMN checks.source_sha256 IS 'Digest of that file when it was registered.';
COMMENT ON COLUMN checks.mode IS 'How the family is evaluated: collect-all, first-match or independent.';
COMMENT ON COLUMN checks.reason IS 'What the check writes into a log when it fires.';
COMMENT ON COLUMN checks."order" IS 'Place in the order of evaluation of its family.';
COMMENT ON COLUMN checks.kept_because IS 'Why the check is kept whatever the evidence; empty where it is not on the keep-list.';
COMMENT ON COLUMN checks.source IS 'File of the live code, relative to the checkout; NULL where it runs elsewhere or is retired.';
COMMENT ON COLUMN checks.retired IS 'True where only the logs know the check any more.';

CREATE TABLE files (
    file_id INTEGER PRIMARY KEY,
    file VARCHAR NOT NULL,
    stream VARCHAR NOT NULL,
    compression VARCHAR,
    framing VARCHAR NOT NULL,
    size BIGINT,
    mtime_ns BIGINT,
    inode BIGINT,
    head_digest VARCHAR NOT NULL,
    bytes BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    resume_at BIGINT NOT NULL,
    resume_line BIGINT NOT NULL,
    resume_digest VARCHAR NOT NULL,
    lines BIGINT NOT NULL,
    first_time TIMESTAMP,
    last_time TIMESTAMP,
    first_seen TIMESTAMP NOT NULL,
    last_seen TIMESTAMP NOT NULL,
    complete BOOLEAN NOT NULL,
    note VARCHAR,
    redaction VARCHAR DEFAULT 'none',
    beyond BIGINT
);
COMMENT ON TABLE files IS 'Grain: one row per log file known, by what it holds: the same content under another name or compressed is the same file.';
COMMENT ON COLUMN files.file_id IS 'Number of the file in this store.';
COMMENT ON COLUMN files.mtime_ns IS 'Time of its last change when last read, in nanoseconds since 1970.';
COMMENT ON COLUMN files.inode IS 'Its inode when last read.';
COMMENT ON COLUMN files.file IS 'Path as it was given when the file was first read; - for standard input.';
COMMENT ON COLUMN files.stream IS 'The stream that the file is a part of: its path without rotation number, date and compression suffix.';
COMMENT ON COLUMN files.compression IS 'gzip, bzip2, xz or zstd, told from the content; NULL for none.';
COMMENT ON COLUMN files.framing IS 'How records are laid out: lines (NDJSON or text), document (JSON arrays, objects, pretty-printed JSON) or csv (a table of known records).';
COMMENT ON COLUMN files.size IS 'Size on disk when last read, in bytes; with mtime_ns and inode it tells an untouched file without reading it.';
COMMENT ON COLUMN files.head_digest IS 'Digest of the first line (at most 4096 bytes), to find candidates for the same file.';
COMMENT ON COLUMN files.bytes IS 'How far it was read, in bytes of decompressed content.';
COMMENT ON COLUMN files.digest IS 'Digest of those bytes.';
COMMENT ON COLUMN files.resume_at IS 'Where reading goes on when the file has grown: the start of the last line that had no line feed yet.';
COMMENT ON COLUMN files.resume_digest IS 'Digest of the bytes before resume_at.';
COMMENT ON COLUMN files.resume_line IS 'Number of lines before resume_at.';
COMMENT ON COLUMN files.lines IS 'Lines read, relevant or not.';
COMMENT ON COLUMN files.first_time IS 'Earliest time among its relevant records and the sampled chatter.';
COMMENT ON COLUMN files.last_time IS 'Latest time among its relevant records and the sampled chatter.';
COMMENT ON COLUMN files.first_seen IS 'When it was first read.';
COMMENT ON COLUMN files.last_seen IS 'When it was last read or found unchanged.';
COMMENT ON COLUMN files.complete IS 'True when it was read to its end.';
COMMENT ON COLUMN files.note IS 'Why it is not complete, or what was odd about it; NULL otherwise.';
COMMENT ON COLUMN files.redaction IS 'What was done to its texts before they were stored: none, names or text; several, joined by ", ", where it was read in parts under different choices.';
COMMENT ON COLUMN files.beyond IS 'Byte up to which records are stored that do not count as read yet, because an ingest is under way or was cut off; they give way when it is read on. NULL for none.';

CREATE TABLE file_names (
    name VARCHAR NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    file_id INTEGER NOT NULL,
    seen TIMESTAMP NOT NULL
);
COMMENT ON TABLE file_names IS 'Grain: one row per name that a known file was seen under (copies, compressed copies), to tell an untouched one without reading it.';
COMMENT ON COLUMN file_names.mtime_ns IS 'Time of its last change when it was seen, in nanoseconds since 1970.';
COMMENT ON COLUMN file_names.inode IS 'Its inode when it was seen.';
COMMENT ON COLUMN file_names.file_id IS 'The file that stood under this name.';
COMMENT ON COLUMN file_names.name IS 'Absolute path.';
COMMENT ON COLUMN file_names.size IS 'Size on disk when it was seen, in bytes.';
COMMENT ON COLUMN file_names.seen IS 'When it was last read under this name.';

CREATE TABLE coverage (
    file_id INTEGER NOT NULL,
    byte_offset BIGINT NOT NULL DEFAULT 0,
    day DATE NOT NULL,
    relevant BIGINT NOT NULL,
    sampled BIGINT NOT NULL
);
COMMENT ON TABLE coverage IS 'Grain: one row per file, block read and day: what shows that logs exist for that day. Sum it; a day without any row is a gap.';
COMMENT ON COLUMN coverage.file_id IS 'The file.';
COMMENT ON COLUMN coverage.day IS 'The day (UTC).';
COMMENT ON COLUMN coverage.byte_offset IS 'Where the block starts that was read, in bytes of decompressed content.';
COMMENT ON COLUMN coverage.relevant IS 'Relevant records of that day.';
COMMENT ON COLUMN coverage.sampled IS 'Chatter lines of that day among those sampled for their time (not all chatter).';

CREATE TABLE events (
    event_id BIGINT NOT NULL,
    file_id INTEGER NOT NULL,
    line BIGINT NOT NULL,
    byte_offset BIGINT NOT NULL,
    part INTEGER NOT NULL,
    time TIMESTAMP,
    time_source VARCHAR,
    system VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    form VARCHAR NOT NULL DEFAULT 'line',
    agent VARCHAR,
    session VARCHAR,
    session_source VARCHAR,
    stream VARCHAR NOT NULL,
    version VARCHAR,
    level VARCHAR,
    attempt INTEGER,
    attempts INTEGER,
    outcome VARCHAR,
    severity VARCHAR,
    action VARCHAR,
    subject VARCHAR,
    goal VARCHAR,
    text VARCHAR,
    ok_count INTEGER,
    fail_count INTEGER,
    extra JSON,
    envelope VARCHAR NOT NULL,
    duplicate_of BIGINT
);
COMMENT ON TABLE events IS 'Grain: one row per relevant log record.';
COMMENT ON COLUMN events.file_id IS 'The file that it stands in.';
COMMENT ON COLUMN events.agent IS 'Agent that the record or an envelope names; NULL where none does.';
COMMENT ON COLUMN events.level IS 'Level at which it was logged, as a word.';
COMMENT ON COLUMN events.event_id IS 'Number of the event in this store.';
COMMENT ON COLUMN events.line IS 'Line in the file, from 1.';
COMMENT ON COLUMN events.byte_offset IS 'Where the line starts, in bytes of decompressed content.';
COMMENT ON COLUMN events.part IS 'Which record of that line, from 0; lines that hold an array or a page of records have several.';
COMMENT ON COLUMN events.time IS 'When it was logged (UTC); NULL where no envelope gave a time: undated.';
COMMENT ON COLUMN events.time_source IS 'The envelope that gave the time; "(assumed ZONE)" follows where it had no offset of its own.';
COMMENT ON COLUMN events.system IS 'What wrote it: socratic, agent, guardrail, honesty, gates, reflection, protocol, turn, probe, lesson.';
COMMENT ON COLUMN events.kind IS 'What happened, for example draft_rejected, summary, gate_fired, gate_passed, guardrail_drop.';
COMMENT ON COLUMN events.form IS 'How it was written: line (text and JSON payload), console (key=value pairs) or name (an event name with fields).';
COMMENT ON COLUMN events.session IS 'Conversation, from the record or an envelope around it; NULL where none gave one.';
COMMENT ON COLUMN events.session_source IS 'The field that gave the session.';
COMMENT ON COLUMN events.stream IS 'The stream of lines that it stood in; runs without a session are put together within it.';
COMMENT ON COLUMN events.version IS 'Version of the program that logged it, where the record or an envelope says so.';
COMMENT ON COLUMN events.attempt IS 'Attempt that a rejected draft belongs to, from 1.';
COMMENT ON COLUMN events.attempts IS 'Number of attempts that a summary or an answer reports.';
COMMENT ON COLUMN events.outcome IS 'Outcome as logged: posted-writer, posted-template, silent, or that of a turn.';
COMMENT ON COLUMN events.severity IS 'Severity of a gate that fired, as logged.';
COMMENT ON COLUMN events.action IS 'What the caller did: redraft, template, silent, regenerate, drop, refuse.';
COMMENT ON COLUMN events.subject IS 'What the record is about: the gate (honesty, empty_conclusion, ...), the guardrail, the tool, the probe.';
COMMENT ON COLUMN events.goal IS 'Goal or intervention type that a guardrail record names.';
COMMENT ON COLUMN events.text IS 'The text that was judged: draft, claim, answer. Log text: private, never executed.';
COMMENT ON COLUMN events.ok_count IS 'Tool results that succeeded, as a gate record counts them.';
COMMENT ON COLUMN events.fail_count IS 'Tool results that failed, as a gate record counts them.';
COMMENT ON COLUMN events.extra IS 'Fields of the record that have no column of their own, as JSON.';
COMMENT ON COLUMN events.envelope IS 'The envelopes that were taken off, outermost first, joined by " > ".';
COMMENT ON COLUMN events.duplicate_of IS 'The event that tells the same (a fire on the console and in the audit file, a tool call whose state grew); NULL where it counts itself.';

CREATE TABLE fires (
    event_id BIGINT NOT NULL,
    position INTEGER NOT NULL,
    family VARCHAR NOT NULL,
    rule VARCHAR,
    fragment VARCHAR NOT NULL,
    check_id VARCHAR
);
COMMENT ON TABLE fires IS 'Grain: one row per reason fragment of an event.';
COMMENT ON COLUMN fires.event_id IS 'The event that gives the reason.';
COMMENT ON COLUMN fires.position IS 'Place of the fragment among the reasons of its event, from 0.';
COMMENT ON COLUMN fires.family IS 'Family whose checks the fragment may belong to.';
COMMENT ON COLUMN fires.rule IS 'Name that the record itself gives the rule beside its reason (the gate, the refusal); NULL where it gives none.';
COMMENT ON COLUMN fires.fragment IS 'The reason as logged.';
COMMENT ON COLUMN fires.check_id IS 'The check that it was mapped to; NULL while unmapped.';

CREATE TABLE rejects (
    file_id INTEGER NOT NULL,
    line BIGINT NOT NULL,
    byte_offset BIGINT NOT NULL,
    part INTEGER NOT NULL,
    why VARCHAR NOT NULL,
    excerpt VARCHAR NOT NULL
);
COMMENT ON TABLE rejects IS 'Grain: one row per record that should have been an event and could not be.';
COMMENT ON COLUMN rejects.file_id IS 'The file that it stands in.';
COMMENT ON COLUMN rejects.line IS 'Line in the file, from 1.';
COMMENT ON COLUMN rejects.byte_offset IS 'Where the line starts, in bytes of decompressed content.';
COMMENT ON COLUMN rejects.part IS 'Which record of that line, from 0.';
COMMENT ON COLUMN rejects.why IS 'What was wrong with it, in words.';
COMMENT ON COLUMN rejects.excerpt IS 'The start of the line, at most 400 characters; invalid bytes replaced.';

CREATE TABLE inferred_runs (
    event_id BIGINT NOT NULL,
    run VARCHAR NOT NULL
);
COMMENT ON TABLE inferred_runs IS 'Grain: one row per Socratic stage event without a session: the run it was put into by stream, order and attempt number.';
COMMENT ON COLUMN inferred_runs.event_id IS 'The event.';
COMMENT ON COLUMN inferred_runs.run IS 'Name of the inferred run: its stream and the event that opens it.';

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

CREATE TABLE check_sources (
    check_id VARCHAR NOT NULL,
    source_sha256 VARCHAR NOT NULL,
    first_seen TIMESTAMP NOT NULL,
    last_seen TIMESTAMP NOT NULL
);
COMMENT ON TABLE check_sources IS 'Grain: one row per check and stretch of ingests during which its source was the same; two rows of one check tell that it changed.';
COMMENT ON COLUMN check_sources.check_id IS 'The check.';
COMMENT ON COLUMN check_sources.source_sha256 IS 'Digest of the file of the live code.';
COMMENT ON COLUMN check_sources.first_seen IS 'First ingest that found the source so (UTC).';
COMMENT ON COLUMN check_sources.last_seen IS 'Last ingest that found it so (UTC); it changed between this and the first_seen of the next row.';

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
