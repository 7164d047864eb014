-- Which checks fired before the window began, how often, and when last?
-- Grain: one row per such check; none where the window has no beginning.
-- Parameters: $since, $agent
WITH told AS (
    SELECT objection, count(*) AS records, max(time) AS last_time FROM objected_in(NULL::TIMESTAMP, $since, $agent)
    WHERE $since IS NOT NULL AND NOT template GROUP BY objection
)
SELECT o.check_id, sum(t.records)::BIGINT AS fires_before, max(t.last_time) AS last_fired_before
FROM told t JOIN objecting o ON o.objection = t.objection
GROUP BY o.check_id ORDER BY o.check_id
