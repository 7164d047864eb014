-- Which Socratic runs would have ended otherwise, had the removed checks not been there?
-- Grain: one row per run that ended in the window and would have ended earlier (a draft passes) or otherwise (its template passes). complete is false where the log has no summary of it, so that its end is not known.
-- Parameters: $since, $until, $agent, $removed
-- A text passes where every reason that the log gives is one of the removed checks'; a reason that belongs to no check is another failure. The first draft that passes ends the run.
WITH touched AS (
    SELECT f.event_id FROM fires f WHERE list_contains($removed::VARCHAR[], f.check_id)
), freed AS MATERIALIZED (
    SELECT f.event_id, count(DISTINCT f.check_id) AS objections
    FROM fires f SEMI JOIN touched t ON t.event_id = f.event_id
    GROUP BY f.event_id HAVING bool_and(coalesce(list_contains($removed::VARCHAR[], f.check_id), false))
), stage AS MATERIALIZED (
    SELECT event_id, key, segment, kind, attempt FROM stage_lines()
), rejected AS (
    SELECT
        s.*, f.objections,
        row_number() OVER (PARTITION BY s.key, s.segment ORDER BY s.attempt, s.event_id) AS place
    FROM stage s LEFT JOIN freed f ON f.event_id = s.event_id
    WHERE s.kind = 'draft_rejected' AND (s.key, s.segment) IN (SELECT (o.key, o.segment) FROM stage o SEMI JOIN freed USING (event_id))
), passing AS (
    SELECT
        key, segment, arg_min(event_id, place) FILTER (objections IS NOT NULL) AS event_id, min(place) FILTER (objections IS NOT NULL) AS place,
        arg_min(attempt, place) FILTER (objections IS NOT NULL) AS attempt, arg_min(objections, place) FILTER (objections IS NOT NULL) AS objections,
        count(*) AS drafts
    FROM rejected GROUP BY key, segment HAVING count(objections) > 0
), changed AS (
    SELECT key, segment, 'draft' AS passes, event_id, coalesce(attempt, place)::INTEGER AS attempt, objections, drafts - place + 1 AS spared_drafts FROM passing
    UNION ALL
    SELECT s.key, s.segment, 'template', s.event_id, NULL, f.objections, 0
    FROM stage s JOIN freed f ON f.event_id = s.event_id
    WHERE s.kind = 'template_failed' AND NOT EXISTS (SELECT 1 FROM passing p WHERE p.key = s.key AND p.segment = s.segment)
)
SELECT
    r.run, r.session, r.inferred, r.agent, r.version, r.last_time AS time, date_trunc('week', r.last_time)::DATE AS week, r.complete,
    c.passes, c.event_id, c.attempt, r.attempts, r.outcome, c.objections,
    CASE WHEN NOT r.complete THEN NULL WHEN c.passes = 'draft' THEN greatest(0, r.attempts - c.attempt) ELSE 0 END AS saved_calls,
    c.spared_drafts
FROM changed c JOIN runs_in($since, $until, $agent) r ON r.run = c.key || ' #' || c.segment
ORDER BY r.last_time DESC NULLS LAST, r.run
