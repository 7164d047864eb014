-- What is derived from events and fires, and kept in stage_runs, judged and objections: the definitions.
-- A place (a session, or a stream's records without one) is worked out as a whole, from its own records alone. Whoever
-- changes records notes their places in `stale`, in the same transaction (derived.py); derive.sql works those out and
-- keeps the result. Until then all_runs, all_judged and all_objections work them out anew at every question, so that an
-- answer is right at any moment.

-- In derive.sql the variable spares the rows before the first that can matter; for a reader it is not set.
CREATE OR REPLACE VIEW stale_events AS
SELECT
    e.event_id, e.file_id, e.byte_offset, e.part, p.place, nullif(i.run, p.name) AS inferred_run, e.session IS NULL AS inferred, e.time, e.system,
    e.kind, e.agent, e.version, e.attempt, e.attempts, e.outcome, e.subject IS NOT NULL AS has_subject,
    CASE WHEN e.system IN ('probe', 'lesson') THEN e.extra END AS extra
FROM events e
JOIN (SELECT place, name FROM places WHERE place IN (SELECT place FROM stale)) p ON p.name = coalesce(e.session, e.stream)
LEFT JOIN inferred_runs i ON i.event_id = e.event_id AND e.session IS NULL
WHERE e.duplicate_of IS NULL AND e.event_id >= coalesce(getvariable('stale_from'), -1);
COMMENT ON VIEW stale_events IS 'Grain: one row per event that counts, of the places whose derived rows are out of date.';
COMMENT ON COLUMN stale_events.inferred_run IS 'The inferred run that it was put into; NULL where it has a session.';
COMMENT ON COLUMN stale_events.has_subject IS 'True where it names a subject.';

-- The lines are put in order once, and every step goes through them in that order: a window function over nothing takes
-- its rows as they come, at half the cost of one that sorts them for itself.
CREATE OR REPLACE MACRO lines_of(given) AS TABLE
WITH ordered AS MATERIALIZED (
    SELECT
        event_id, place, inferred_run, inferred, time, agent, version, attempt, attempts, outcome,
        kind = 'draft_rejected' AS draft, kind = 'summary' AS ends, kind = 'writer_failed' AS failed, kind = 'template_failed' AS template
    FROM query_table(given) WHERE system = 'socratic'
    ORDER BY place, inferred_run, time, file_id, byte_offset, part
), stepped AS (
    SELECT
        *, row_number() OVER () AS nth, CASE WHEN ends THEN 0 ELSE attempt END AS reached, coalesce(lag(ends) OVER (), true) AS after_end,
        NOT coalesce(lag(place) OVER () = place AND lag(inferred_run) OVER () IS NOT DISTINCT FROM inferred_run, false) AS opens
    FROM ordered
), marked AS (
    SELECT *, arg_max(coalesce(reached, -2147483648), nth) FILTER (reached IS NOT NULL OR opens) OVER (ROWS UNBOUNDED PRECEDING) AS farthest
    FROM stepped
), begun AS (
    SELECT *, opens OR after_end OR coalesce(draft AND attempt <= lag(farthest) OVER (), false) AS begins FROM marked
), counted AS (
    SELECT *, sum(begins::INTEGER) OVER (ROWS UNBOUNDED PRECEDING) AS runs FROM begun
)
SELECT
    event_id, place, inferred_run, inferred, time, agent, version, attempt, attempts, outcome, draft, ends, failed, template,
    arg_max(event_id, nth) FILTER (begins) OVER (ROWS UNBOUNDED PRECEDING) AS run,
    arg_max(event_id, nth) FILTER (opens) OVER (ROWS UNBOUNDED PRECEDING) AS chain,
    (1 + runs - max(runs) FILTER (opens) OVER (ROWS UNBOUNDED PRECEDING))::INTEGER AS segment
FROM counted;
COMMENT ON MACRO TABLE lines_of IS 'Grain: one row per Socratic stage line. The lines of a session, or of an inferred run (chain: its first line), are split into runs (run: its first line) after a summary, and where the attempt number does not grow.';

CREATE OR REPLACE MACRO runs_of(lines) AS TABLE
SELECT
    run, first(place) AS place, CASE WHEN bool_or(inferred_run IS NOT NULL) THEN -first(chain) ELSE first(place) END AS session,
    first(segment) AS segment, bool_or(inferred) AS inferred, max(agent) AS agent, max(version) AS version,
    min(time) AS first_time, max(time) AS last_time, min(event_id) AS first_event,
    sum(draft::INTEGER)::BIGINT AS rejected_drafts, sum(failed::INTEGER)::BIGINT AS failed_calls,
    max(attempts) FILTER (ends) AS attempts, max(outcome) FILTER (ends) AS outcome,
    max(event_id) FILTER (ends) AS summary, max(time) FILTER (ends) AS summary_time
FROM query_table(lines) GROUP BY run;
COMMENT ON MACRO TABLE runs_of IS 'Grain: one row per Socratic run, as in stage_runs.';

CREATE OR REPLACE MACRO judged_of(given, lines, runs, numbers) AS TABLE
SELECT
    l.event_id, l.place, l.run, r.session, l.time, l.agent, l.version, l.draft, l.template, l.attempt, n.objection,
    CASE WHEN l.draft AND r.summary IS NOT NULL THEN 'socratic.shape' END AS family, NULL AS scope, r.inferred,
    r.agent AS item_agent, r.version AS item_version, true AS objected, l.attempt = 1 AS first_draft, false AS stops
FROM query_table(lines) l
JOIN query_table(runs) r ON r.run = l.run
LEFT JOIN query_table(numbers) n ON n.event_id = l.event_id
WHERE l.draft OR n.objection IS NOT NULL
UNION ALL
SELECT
    event_id, place, NULL, place, time, agent, version, false, false, NULL, objection,
    family, scope, inferred, agent, version, objected, NULL, stops
FROM (
    SELECT
        e.event_id, e.place, e.time, e.agent, e.version, e.inferred, n.objection,
        CASE
            WHEN e.kind = 'slots_rejected' THEN 'socratic.slots'
            WHEN e.system = 'honesty' AND e.kind IN ('gate_fired', 'gate_passed') THEN 'honesty'
            -- A turn that ended in an error or without an outcome proves no check right.
            WHEN e.kind = 'turn_done' AND e.outcome = 'response' THEN 'gates'
            WHEN e.system = 'guardrail' AND e.kind IN ('guardrail_drop', 'post_detected') THEN 'guardrail'
            -- An answer without a value and without a refusal was not read against a scale.
            WHEN e.system = 'probe' AND e.kind = 'answer' AND (s.of_probe OR (e.extra ->> '$.value') IS NOT NULL) THEN 'probe.scale'
            WHEN e.system = 'lesson' AND e.kind IN ('quiz_call', 'probe_done', 'tool_refused')
              AND (e.kind <> 'quiz_call' OR e.has_subject OR s.of_lesson)
              AND (e.kind <> 'tool_refused' OR s.lesson_check IS NOT NULL)
              -- A call that is still being written, or a conclusion without its result, was not judged yet.
              AND coalesce(e.extra ->> '$.state', '') <> 'input-streaming'
              AND NOT (e.kind = 'probe_done' AND coalesce(e.extra ->> '$.state', '') = 'input-available') THEN 'lesson'
        END AS family,
        CASE
            WHEN family = 'lesson' AND (e.kind = 'quiz_call' OR s.lesson_check = 'lesson.unknown_node') THEN 'lesson.unknown_node'
            WHEN family = 'lesson' THEN 'lesson.probe_done'
        END AS scope,
        CASE family
            WHEN 'probe.scale' THEN coalesce(s.of_probe, false)
            WHEN 'lesson' THEN coalesce(s.of_lesson, false)
            ELSE coalesce(e.kind IN ('slots_rejected', 'gate_fired', 'guardrail_drop'), false)
        END AS objected,
        CASE family
            WHEN 'socratic.slots' THEN true
            WHEN 'honesty' THEN e.kind = 'gate_fired'
            WHEN 'probe.scale' THEN (e.extra ->> '$.value') IS NULL
            WHEN 'lesson' THEN true
            ELSE false
        END AS stops
    FROM query_table(given) e
    LEFT JOIN query_table(numbers) n ON n.event_id = e.event_id
    LEFT JOIN (
        SELECT
            f.event_id, bool_or(f.family = 'probe.scale') AS of_probe, bool_or(f.family = 'lesson') AS of_lesson,
            min(f.check_id) FILTER (f.family = 'lesson') AS lesson_check
        FROM fires f SEMI JOIN query_table(given) e ON e.event_id = f.event_id
        WHERE f.family IN ('probe.scale', 'lesson') AND f.event_id >= coalesce(getvariable('stale_from'), -1)
        GROUP BY f.event_id
    ) s ON s.event_id = e.event_id
    WHERE e.system <> 'socratic'
)
WHERE family IS NOT NULL OR objection IS NOT NULL;
COMMENT ON MACRO TABLE judged_of IS 'Grain: one row per record, as in judged.';

CREATE OR REPLACE VIEW stale_lines AS SELECT * FROM lines_of('stale_events');
COMMENT ON COLUMN stale_lines.inferred_run IS 'The inferred run that it was put into; NULL where it has a session.';
COMMENT ON COLUMN stale_lines.draft IS 'True for a draft that was rejected.';
COMMENT ON COLUMN stale_lines.ends IS 'True for a summary, which ends its run.';
COMMENT ON COLUMN stale_lines.failed IS 'True for a writer call that failed.';
COMMENT ON COLUMN stale_lines.template IS 'True for a template that failed its checks.';
COMMENT ON COLUMN stale_lines.chain IS 'The first line of its session or inferred run.';
CREATE OR REPLACE VIEW stale_runs AS SELECT * FROM runs_of('stale_lines');
-- A list of reasons has no number yet: that of its event stands for it, below zero.
CREATE OR REPLACE VIEW stale_numbers AS
SELECT event_id, -event_id AS objection FROM fires SEMI JOIN stale_events USING (event_id) GROUP BY event_id;
CREATE OR REPLACE VIEW stale_judged AS SELECT * FROM judged_of('stale_events', 'stale_lines', 'stale_runs', 'stale_numbers');

COMMENT ON VIEW stale_lines IS 'Grain: one row per Socratic stage line of the places that are out of date.';
COMMENT ON VIEW stale_runs IS 'Grain: one row per Socratic run of theirs, as in stage_runs.';
COMMENT ON VIEW stale_numbers IS 'Grain: one row per event of theirs that gives reasons.';
COMMENT ON VIEW stale_judged IS 'Grain: one row per record of theirs, as in judged.';

CREATE OR REPLACE VIEW current_runs AS
SELECT * FROM stage_runs WHERE place NOT IN (SELECT place FROM stale)
UNION ALL BY NAME
SELECT * FROM stale_runs;

CREATE OR REPLACE VIEW current_judged AS
SELECT * FROM judged WHERE place NOT IN (SELECT place FROM stale)
UNION ALL BY NAME
SELECT * FROM stale_judged;

CREATE OR REPLACE VIEW current_objections AS
SELECT * FROM objections
UNION ALL BY NAME
SELECT -f.event_id AS objection, f.position, f.family, f.fragment, f.check_id FROM fires f SEMI JOIN stale_events e ON e.event_id = f.event_id;

COMMENT ON VIEW current_runs IS 'Grain: one row per Socratic run: what is kept, and what is out of date worked out anew.';
COMMENT ON VIEW current_judged IS 'Grain: one row per record, likewise.';
COMMENT ON VIEW current_objections IS 'Grain: one row per reason of each list, likewise.';

-- Where nothing is stale the tables are read as they are, which spares a fifth of a second of planning. Only our own readers
-- (storefile.py) look for that and set the variable; for any other client the views are right as well.
CREATE OR REPLACE VIEW all_runs AS
SELECT * FROM query_table(CASE WHEN getvariable('nothing_stale') THEN 'stage_runs' ELSE 'current_runs' END);
CREATE OR REPLACE VIEW all_judged AS
SELECT * FROM query_table(CASE WHEN getvariable('nothing_stale') THEN 'judged' ELSE 'current_judged' END);
CREATE OR REPLACE VIEW all_objections AS
SELECT * FROM query_table(CASE WHEN getvariable('nothing_stale') THEN 'objections' ELSE 'current_objections' END);
COMMENT ON VIEW all_runs IS 'Grain: one row per Socratic run, as in stage_runs, also of what is not kept there yet.';
COMMENT ON VIEW all_judged IS 'Grain: one row per record, as in judged, also of what is not kept there yet.';
COMMENT ON VIEW all_objections IS 'Grain: one row per reason of each list, as in objections, also of what is not kept there yet.';
