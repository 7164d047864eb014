-- Which reasons stand in the logs, how often, and when first and last?
-- Grain: one row per check and reason as logged; check_id is NULL while unmapped. A record that gives a reason twice counts once.
-- Parameters: $since, $until, $agent
SELECT
    f.check_id, f.family, f.fragment,
    count(DISTINCT f.event_id) FILTER (e.kind <> 'template_failed') AS count,
    count(DISTINCT f.event_id) FILTER (e.kind = 'template_failed') AS template_count,
    min(e.time) AS first_seen, max(e.time) AS last_seen
FROM fires f JOIN events_in($since, $until, $agent) e ON e.event_id = f.event_id
GROUP BY f.check_id, f.family, f.fragment
ORDER BY count DESC, f.check_id, f.family, f.fragment
