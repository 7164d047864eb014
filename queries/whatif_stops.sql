-- Which records of the other families would there not have been, had the removed checks not been there?
-- Grain: one row per record outside the collect-all families in which a removed check objected and no other did.
-- Parameters: $since, $until, $agent, $removed
-- certain: nothing that is left could have objected in its place. later_checks are those left that the item never reached (first-match), or that work beside it (independent).
WITH freed AS (
    SELECT event_id, any_value(family) AS family, list(DISTINCT check_id ORDER BY check_id) AS check_ids
    FROM fires
    WHERE event_id IN (SELECT f.event_id FROM fires f WHERE list_contains($removed::VARCHAR[], f.check_id))
    GROUP BY event_id HAVING bool_and(coalesce(list_contains($removed::VARCHAR[], check_id), false))
), left_over AS (
    SELECT check_id, family, mode, "order" FROM checks WHERE NOT retired AND NOT list_contains($removed::VARCHAR[], check_id)
), counted AS (
    SELECT
        d.event_id, d.family, d.check_ids, max(c.mode) AS mode, max(CASE WHEN c.retired THEN -1 ELSE c."order" END) AS farthest
    FROM freed d JOIN checks c ON list_contains(d.check_ids, c.check_id)
    GROUP BY ALL HAVING max(c.mode) <> 'collect-all'
)
SELECT
    e.event_id, n.family, n.mode, n.check_ids, e.time, date_trunc('week', e.time)::DATE AS week, coalesce(e.session, e.stream) AS session, e.agent,
    e.kind, e.action, count(l.check_id) AS later_checks, count(l.check_id) = 0 AS certain
FROM counted n
JOIN events_in($since, $until, $agent) e ON e.event_id = n.event_id
LEFT JOIN left_over l ON l.family = n.family AND (n.mode <> 'first-match' OR l."order" > n.farthest)
GROUP BY ALL
ORDER BY e.time DESC NULLS LAST, e.event_id
