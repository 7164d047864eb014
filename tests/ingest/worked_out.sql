-- Runs, evaluations and totals worked out from events and fires alone, at once and with nothing kept: what the derived
-- tables are held against (test_derived.py).
CREATE OR REPLACE MACRO in_window(moment, from_time, to_time) AS
    (from_time IS NULL OR moment >= from_time) AND (to_time IS NULL OR moment < to_time);

CREATE OR REPLACE MACRO of_agent(name, only_agent) AS (only_agent IS NULL OR name = only_agent);

CREATE OR REPLACE MACRO events_in(from_time, to_time, only_agent) AS TABLE
    SELECT * FROM events
    WHERE duplicate_of IS NULL AND in_window(time, from_time, to_time) AND of_agent(agent, only_agent);

-- Runs are put together before any window is laid over them: one that began before it is still one run.
CREATE OR REPLACE MACRO stage_lines() AS TABLE
WITH lines AS (
    SELECT
        e.event_id, coalesce(e.session, i.run, e.stream) AS key, e.session IS NULL AS inferred, e.agent, e.version,
        e.time, e.kind, e.attempt, e.attempts, e.outcome, e.file_id, e.byte_offset, e.part,
        CASE WHEN e.kind = 'summary' THEN 0 ELSE e.attempt END AS reached
    FROM events e LEFT JOIN inferred_runs i ON i.event_id = e.event_id
    WHERE e.system = 'socratic' AND e.duplicate_of IS NULL
), marked AS MATERIALIZED (
    SELECT
        * EXCLUDE (reached),
        coalesce(count(*) FILTER (kind = 'summary') OVER before, 0) AS summaries,
        coalesce(
            kind = 'draft_rejected' AND attempt <= lag(reached IGNORE NULLS) OVER in_order AND lag(kind) OVER in_order <> 'summary', false
        ) AS restarts
    FROM lines
    WINDOW
        in_order AS (PARTITION BY key ORDER BY time, file_id, byte_offset, part),
        before AS (PARTITION BY key ORDER BY time, file_id, byte_offset, part ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), restarted AS (
    -- Runs that broke off are few, so the second pass over the order is made for their sessions alone.
    SELECT
        event_id,
        count(*) FILTER (restarts) OVER (PARTITION BY key ORDER BY time, file_id, byte_offset, part ROWS UNBOUNDED PRECEDING) AS restarts
    FROM marked WHERE key IN (SELECT key FROM marked WHERE restarts)
)
SELECT
    m.event_id, m.key, m.inferred, m.agent, m.version, m.time, m.kind, m.attempt, m.attempts, m.outcome,
    (1 + m.summaries + coalesce(r.restarts, 0))::INTEGER AS segment
FROM marked m LEFT JOIN restarted r ON r.event_id = m.event_id;

CREATE OR REPLACE MACRO run_rows() AS TABLE
SELECT
    key, segment, bool_or(inferred) AS inferred, max(agent) AS agent, max(version) AS version,
    min(time) AS first_time, max(time) AS last_time, min(event_id) AS first_event,
    count(*) FILTER (kind = 'draft_rejected') AS rejected_drafts,
    count(*) FILTER (kind = 'writer_failed') AS failed_calls,
    max(attempts) FILTER (kind = 'summary') AS attempts,
    max(outcome) FILTER (kind = 'summary') AS outcome,
    bool_or(kind = 'summary') AS complete
FROM stage_lines() GROUP BY key, segment;

CREATE OR REPLACE MACRO runs_in(from_time, to_time, only_agent) AS TABLE
SELECT
    key || ' #' || segment AS run, CASE WHEN NOT inferred THEN key END AS session, inferred, agent, version,
    first_time, last_time, rejected_drafts, failed_calls, attempts, outcome, complete,
    CASE WHEN complete THEN rejected_drafts + failed_calls + (outcome = 'posted-writer')::INTEGER = attempts END AS consistent,
    CASE WHEN complete THEN rejected_drafts + (outcome = 'posted-writer')::INTEGER END AS judged_drafts,
    first_event
FROM run_rows()
WHERE in_window(last_time, from_time, to_time) AND of_agent(agent, only_agent);

CREATE OR REPLACE VIEW runs AS SELECT * FROM runs_in(NULL::TIMESTAMP, NULL::TIMESTAMP, NULL::VARCHAR);

-- The items that checks judged. stopped_at is NULL where an item went through the whole chain, and -1 where the reason
-- is not one of the catalog's, so that no check may claim to have been reached.
CREATE OR REPLACE MACRO items_in(from_time, to_time, only_agent) AS TABLE
WITH stage AS MATERIALIZED (
    SELECT * FROM stage_lines()
), run AS MATERIALIZED (
    SELECT
        key, segment, bool_or(inferred) AS inferred, max(agent) AS agent, max(version) AS version, min(time) AS time,
        min(event_id) AS event_id, bool_or(kind = 'summary') AS complete
    FROM stage GROUP BY key, segment
), stopped AS (
    SELECT f.event_id, f.family, min(CASE WHEN c.retired THEN -1 ELSE coalesce(c."order", -1) END) AS stopped_at,
        max(c."order") FILTER (NOT c.retired) AS farthest, min(f.check_id) AS check_id
    FROM fires f LEFT JOIN checks c ON c.check_id = f.check_id
    WHERE f.family IN ('socratic.slots', 'honesty', 'probe.scale', 'lesson')
    GROUP BY f.event_id, f.family
), other AS (
    SELECT event_id, coalesce(session, stream) AS session, session IS NULL AS inferred, agent, version, time, system, kind, subject, outcome, extra
    FROM events_in(from_time, to_time, only_agent) WHERE system <> 'socratic'
), honesty_passes AS (
    SELECT count(*) > 0 AS logged FROM other WHERE system = 'honesty' AND kind = 'gate_passed'
), posts AS (
    SELECT count(*) > 0 AS logged FROM other WHERE system = 'guardrail' AND kind = 'post_detected'
), items AS (
    SELECT
        'socratic.shape' AS family, NULL AS scope, s.event_id, s.key AS session, r.inferred, r.agent, r.version, s.time,
        s.kind = 'draft_rejected' AS objected,
        CASE WHEN s.kind = 'summary' THEN s.attempts ELSE s.attempt END = 1 AS first_draft,
        NULL::INTEGER AS stopped_at, 'derived' AS basis
    FROM stage s JOIN run r ON r.key = s.key AND r.segment = s.segment
    WHERE r.complete AND (s.kind = 'draft_rejected' OR (s.kind = 'summary' AND s.outcome = 'posted-writer'))
      AND in_window(s.time, from_time, to_time) AND of_agent(r.agent, only_agent)
    UNION ALL
    SELECT 'socratic.slots', NULL, event_id, key, inferred, agent, version, time, false, NULL, NULL, 'derived'
    FROM run WHERE in_window(time, from_time, to_time) AND of_agent(agent, only_agent)
    UNION ALL
    SELECT
        'socratic.slots', NULL, o.event_id, o.session, o.inferred, o.agent, o.version, o.time, true, NULL,
        coalesce(s.stopped_at, -1), 'derived'
    FROM other o LEFT JOIN stopped s ON s.event_id = o.event_id AND s.family = 'socratic.slots'
    WHERE o.kind = 'slots_rejected'
    UNION ALL
    SELECT
        'honesty', NULL, o.event_id, o.session, o.inferred, o.agent, o.version, o.time, o.kind = 'gate_fired', NULL,
        CASE WHEN o.kind = 'gate_fired' THEN coalesce(s.stopped_at, -1) END, 'logged'
    FROM other o LEFT JOIN stopped s ON s.event_id = o.event_id AND s.family = 'honesty'
    WHERE o.system = 'honesty' AND o.kind IN ('gate_fired', 'gate_passed') AND (SELECT logged FROM honesty_passes)
    UNION ALL
    -- A turn that ended in an error or without an outcome proves no check right.
    SELECT 'gates', NULL, event_id, session, inferred, agent, version, time, false, NULL, NULL, 'derived'
    FROM other WHERE kind = 'turn_done' AND outcome = 'response'
    UNION ALL
    SELECT 'guardrail', NULL, event_id, session, inferred, agent, version, time, kind = 'guardrail_drop', NULL, NULL, 'derived'
    FROM other WHERE system = 'guardrail' AND kind IN ('guardrail_drop', 'post_detected') AND (SELECT logged FROM posts)
    UNION ALL
    -- An answer without a value and without a refusal was not read against a scale.
    SELECT
        'probe.scale', NULL, o.event_id, o.session, o.inferred, o.agent, o.version, o.time, s.event_id IS NOT NULL, NULL,
        -- After a re-ask there were two readings: the chain was gone through as far as the farther of them went.
        CASE WHEN (o.extra ->> '$.value') IS NULL THEN coalesce(s.farthest, s.stopped_at) END, 'logged'
    FROM other o LEFT JOIN stopped s ON s.event_id = o.event_id AND s.family = 'probe.scale'
    WHERE o.system = 'probe' AND o.kind = 'answer' AND (s.event_id IS NOT NULL OR (o.extra ->> '$.value') IS NOT NULL)
    UNION ALL
    SELECT
        'lesson',
        CASE WHEN o.kind = 'quiz_call' OR s.check_id = 'lesson.unknown_node' THEN 'lesson.unknown_node' ELSE 'lesson.probe_done' END,
        o.event_id, o.session, o.inferred, o.agent, o.version, o.time, s.event_id IS NOT NULL, NULL,
        -- A second conclusion is refused before an open question is looked for, so that one rule judged it and not both.
        s.stopped_at, 'logged'
    FROM other o LEFT JOIN stopped s ON s.event_id = o.event_id AND s.family = 'lesson'
    WHERE o.system = 'lesson' AND o.kind IN ('quiz_call', 'probe_done', 'tool_refused')
      AND (o.kind <> 'quiz_call' OR o.subject IS NOT NULL OR s.event_id IS NOT NULL)
      AND (o.kind <> 'tool_refused' OR s.check_id IS NOT NULL)
      -- A call that is still being written, or a conclusion without its result, was not judged yet.
      AND coalesce(o.extra ->> '$.state', '') <> 'input-streaming'
      AND NOT (o.kind = 'probe_done' AND coalesce(o.extra ->> '$.state', '') = 'input-available')
)
SELECT * FROM items;

CREATE OR REPLACE MACRO evaluations_in(from_time, to_time, only_agent) AS TABLE
SELECT
    i.family, f.item, i.event_id, i.session, i.inferred, i.agent, i.version, i.time, i.stopped_at, i.scope, i.basis,
    CASE WHEN i.objected THEN coalesce(n.reasons, 0) ELSE 0 END AS fired, i.objected, coalesce(i.first_draft, false) AS is_first_draft
FROM items_in(from_time, to_time, only_agent) i
JOIN (VALUES
    ('socratic.slots', 'slot set'), ('socratic.shape', 'draft'), ('honesty', 'final text'), ('gates', 'turn'),
    ('guardrail', 'post'), ('probe.scale', 'answer'), ('lesson', 'tool call')
) f(family, item) ON f.family = i.family
LEFT JOIN (SELECT event_id, family, count(*) AS reasons FROM fires GROUP BY event_id, family) n
    ON n.event_id = i.event_id AND n.family = i.family;

CREATE OR REPLACE VIEW evaluations AS SELECT * FROM evaluations_in(NULL::TIMESTAMP, NULL::TIMESTAMP, NULL::VARCHAR);

CREATE OR REPLACE MACRO fired_in(from_time, to_time, only_agent) AS TABLE
WITH failures AS (
    -- Digests of the reasons stand for them here: comparing numbers costs a third of comparing texts.
    SELECT event_id, check_id, family, hash(coalesce(check_id, lower(fragment))) AS failure FROM fires
), alone AS (
    SELECT event_id, min(failure) = max(failure) AS sole FROM failures GROUP BY event_id
), named AS (
    SELECT DISTINCT event_id, family, check_id FROM failures WHERE check_id IS NOT NULL
)
SELECT n.event_id, n.family, n.check_id, e.kind, e.time, coalesce(e.session, e.stream) AS session, a.sole
FROM named n
JOIN alone a ON a.event_id = n.event_id
JOIN events_in(from_time, to_time, only_agent) e ON e.event_id = n.event_id;

CREATE OR REPLACE MACRO check_totals_in(from_time, to_time, only_agent) AS TABLE
WITH items AS MATERIALIZED (
    SELECT family, scope, event_id, session, inferred, time, first_draft, basis, coalesce(stopped_at, 2147483647) AS reach
    FROM items_in(from_time, to_time, only_agent)
), fired AS MATERIALIZED (
    SELECT * FROM fired_in(from_time, to_time, only_agent)
), known AS (
    SELECT * FROM checks
    UNION ALL BY NAME
    -- A check that was taken out of the catalog without being declared retired.
    SELECT DISTINCT f.check_id, f.family, 'independent' AS mode, f.check_id AS title, '' AS reason, 2147483647 AS "order", '' AS kept_because, NULL AS source, NULL AS source_sha256, true AS retired
    FROM fires f ANTI JOIN checks c ON c.check_id = f.check_id WHERE f.check_id IS NOT NULL
), by_reach AS (
    SELECT family, scope, reach, count(*) AS items, count(*) FILTER (first_draft) AS first_drafts, max(time) AS last_time, any_value(basis) AS basis
    FROM items GROUP BY family, scope, reach
), by_session AS (
    SELECT family, scope, reach, count(*) AS sessions, count(*) FILTER (inferred) AS inferred_sessions
    FROM (SELECT family, scope, session, bool_or(inferred) AS inferred, max(reach) AS reach FROM items GROUP BY family, scope, session)
    GROUP BY family, scope, reach
), by_day AS (
    SELECT family, scope, reach, count(*) AS days
    FROM (SELECT family, scope, time::DATE AS day, max(reach) AS reach FROM items WHERE time IS NOT NULL GROUP BY family, scope, day)
    GROUP BY family, scope, reach
), in_family AS (
    SELECT family, sum(items)::BIGINT AS items, any_value(basis) AS basis, sum(first_drafts)::BIGINT AS first_drafts FROM by_reach GROUP BY family
), judged AS (
    SELECT k.check_id, sum(r.items)::BIGINT AS evaluated, sum(r.first_drafts)::BIGINT AS first_drafts, max(r.last_time) AS last_evaluated
    FROM known k JOIN by_reach r ON r.family = k.family AND r.reach >= k."order" AND (r.scope IS NULL OR starts_with(k.check_id, r.scope))
    WHERE NOT k.retired GROUP BY k.check_id
), in_sessions AS (
    SELECT k.check_id, sum(r.sessions)::BIGINT AS sessions, sum(r.inferred_sessions)::BIGINT AS inferred_sessions
    FROM known k JOIN by_session r ON r.family = k.family AND r.reach >= k."order" AND (r.scope IS NULL OR starts_with(k.check_id, r.scope))
    WHERE NOT k.retired GROUP BY k.check_id
), on_days AS (
    SELECT k.check_id, sum(r.days)::BIGINT AS days
    FROM known k JOIN by_day r ON r.family = k.family AND r.reach >= k."order" AND (r.scope IS NULL OR starts_with(k.check_id, r.scope))
    WHERE NOT k.retired GROUP BY k.check_id
), fires_by_check AS (
    SELECT
        f.check_id,
        count(*) FILTER (f.kind <> 'template_failed') AS fires,
        count(*) FILTER (f.kind = 'template_failed') AS template_fires,
        count(*) FILTER (f.sole AND f.kind <> 'template_failed') AS sole_fires,
        count(*) FILTER (f.time IS NULL AND f.kind <> 'template_failed') AS undated_fires,
        count(i.event_id) AS evaluated_fires,
        count(*) FILTER (i.first_draft) AS first_draft_fires,
        min(f.time) FILTER (f.kind <> 'template_failed') AS first_fired,
        max(f.time) FILTER (f.kind <> 'template_failed') AS last_fired
    FROM fired f LEFT JOIN items i ON i.event_id = f.event_id AND i.family = f.family
    GROUP BY f.check_id
), gate_fires AS (
    -- A gate's fire is another record than the turn that it belongs to: those of sessions whose turns are logged count.
    SELECT check_id, count(*) AS evaluated_fires
    FROM fired WHERE family = 'gates' AND session IN (SELECT session FROM items WHERE family = 'gates')
    GROUP BY check_id
)
SELECT
    k.check_id, k.family, k.mode, k.title, k.reason, k."order", k.kept_because, k.source, k.source_sha256, k.retired,
    coalesce(f.fires, 0) AS fires,
    CASE WHEN k.retired THEN NULL WHEN n.items IS NULL THEN NULL ELSE coalesce(j.evaluated, 0) END AS evaluated,
    CASE WHEN k.retired THEN 'unknown' ELSE coalesce(n.basis, 'unknown') END AS evaluated_basis,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL
         WHEN k.family = 'gates' THEN coalesce(g.evaluated_fires, 0)
         ELSE coalesce(f.evaluated_fires, 0) END AS evaluated_fires,
    CASE WHEN k.family = 'socratic.shape' AND NOT k.retired THEN j.first_drafts END AS first_drafts,
    CASE WHEN k.family = 'socratic.shape' AND NOT k.retired AND n.items IS NOT NULL THEN coalesce(f.first_draft_fires, 0) END AS first_draft_fires,
    coalesce(f.sole_fires, 0) AS sole_fires,
    coalesce(f.template_fires, 0) AS template_fires,
    coalesce(f.undated_fires, 0) AS undated_fires,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL ELSE coalesce(s.sessions, 0) END AS sessions,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL ELSE coalesce(s.inferred_sessions, 0) END AS inferred_sessions,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL ELSE coalesce(d.days, 0) END AS days,
    CASE WHEN NOT k.retired THEN n.items END AS family_evaluated,
    f.first_fired, f.last_fired, j.last_evaluated
FROM known k
LEFT JOIN in_family n ON n.family = k.family
LEFT JOIN judged j ON j.check_id = k.check_id
LEFT JOIN in_sessions s ON s.check_id = k.check_id
LEFT JOIN on_days d ON d.check_id = k.check_id
LEFT JOIN fires_by_check f ON f.check_id = k.check_id
LEFT JOIN gate_fires g ON g.check_id = k.check_id;

CREATE OR REPLACE VIEW check_totals AS SELECT * FROM check_totals_in(NULL::TIMESTAMP, NULL::TIMESTAMP, NULL::VARCHAR);
