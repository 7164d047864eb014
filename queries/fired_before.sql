-- Which checks fired before the window began, how often, and when last?
-- Grain: one row per such check; none where the window has no beginning.
-- Parameters: $since, $agent
SELECT check_id, count(*) AS fires_before, max(time) AS last_fired_before
FROM fired_in(NULL::TIMESTAMP, $since, $agent)
WHERE $since IS NOT NULL AND kind <> 'template_failed'
GROUP BY check_id ORDER BY check_id
