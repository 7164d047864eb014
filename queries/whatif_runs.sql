-- Which Socratic runs would have ended otherwise, had the removed checks not been there?
-- Grain: one row per run that ended in the window and would have ended earlier (a draft passes) or otherwise (its template passes). complete is false where the log has no summary of it, so that its end is not known.
-- Parameters: $since, $until, $agent, $removed
-- A text passes where every reason that the log gives is one of the removed checks'; a reason that belongs to no check is another failure. The first draft that passes ends the run.
WITH freed AS MATERIALIZED (
    SELECT objection, count(DISTINCT check_id) AS objections FROM all_objections
    GROUP BY objection HAVING bool_and(coalesce(list_contains($removed::VARCHAR[], check_id), false))
), told AS MATERIALIZED (
    SELECT j.event_id, j.run, j.attempt, j.draft, j.template, f.objections
    FROM all_judged j LEFT JOIN freed f ON f.objection = j.objection WHERE j.draft OR j.template
), rejected AS (
    SELECT *, row_number() OVER (PARTITION BY run ORDER BY attempt, event_id) AS place
    FROM told WHERE draft AND run IN (SELECT run FROM told WHERE objections IS NOT NULL)
), passing AS (
    SELECT
        run, arg_min(event_id, place) FILTER (objections IS NOT NULL) AS event_id, min(place) FILTER (objections IS NOT NULL) AS place,
        arg_min(attempt, place) FILTER (objections IS NOT NULL) AS attempt, arg_min(objections, place) FILTER (objections IS NOT NULL) AS objections,
        count(*) AS drafts
    FROM rejected GROUP BY run HAVING count(objections) > 0
), changed AS (
    SELECT run, 'draft' AS passes, event_id, coalesce(attempt, place)::INTEGER AS attempt, objections, drafts - place + 1 AS spared_drafts FROM passing
    UNION ALL
    SELECT run, 'template', event_id, NULL, objections, 0
    FROM told WHERE template AND objections IS NOT NULL AND run NOT IN (SELECT run FROM passing)
)
SELECT
    r.name AS run, r.session_name AS session, r.inferred, r.agent, r.version, r.last_time AS time, date_trunc('week', r.last_time)::DATE AS week, r.complete,
    c.passes, c.event_id, c.attempt, r.attempts, r.outcome, c.objections,
    CASE WHEN NOT r.complete THEN NULL WHEN c.passes = 'draft' THEN greatest(0, r.attempts - c.attempt) ELSE 0 END AS saved_calls,
    c.spared_drafts
FROM changed c JOIN named_runs_in($since, $until, $agent) r ON r.run = c.run
ORDER BY r.last_time DESC NULLS LAST, r.name
