-- Which reasons belong to no check that we know?
-- Grain: one row per family and reason as logged.
-- Parameters: $since, $until, $agent
SELECT f.family, f.fragment, count(*) AS count, min(e.time) AS first_seen, max(e.time) AS last_seen
FROM fires f JOIN events_in($since, $until, $agent) e ON e.event_id = f.event_id
WHERE f.check_id IS NULL
GROUP BY f.family, f.fragment ORDER BY count DESC, f.family, f.fragment
