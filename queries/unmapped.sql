-- Which reasons belong to no check that we know?
-- Grain: one row per family and reason as logged.
-- Parameters: $since, $until, $agent
WITH told AS (
    SELECT objection, count(*) AS records, min(time) AS first_time, max(time) AS last_time
    FROM objected_in($since, $until, $agent) GROUP BY objection
)
SELECT o.family, o.fragment, sum(t.records)::BIGINT AS count, min(t.first_time) AS first_seen, max(t.last_time) AS last_seen
FROM told t JOIN all_objections o ON o.objection = t.objection
WHERE o.check_id IS NULL
GROUP BY o.family, o.fragment ORDER BY count DESC, o.family, o.fragment
