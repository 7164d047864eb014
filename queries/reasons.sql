-- Which reasons stand in the logs, how often, and when first and last?
-- Grain: one row per check and reason as logged; check_id is NULL while unmapped. A record that gives a reason twice counts once.
-- Parameters: $since, $until, $agent
WITH told AS (
    SELECT objection, template, count(*) AS records, min(time) AS first_time, max(time) AS last_time
    FROM objected_in($since, $until, $agent) GROUP BY objection, template
), given AS (
    SELECT DISTINCT objection, family, fragment, check_id FROM all_objections
)
SELECT
    g.check_id, g.family, g.fragment,
    coalesce(sum(t.records) FILTER (NOT t.template), 0)::BIGINT AS count,
    coalesce(sum(t.records) FILTER (t.template), 0)::BIGINT AS template_count,
    min(t.first_time) AS first_seen, max(t.last_time) AS last_seen
FROM told t JOIN given g ON g.objection = t.objection
GROUP BY g.check_id, g.family, g.fragment
ORDER BY count DESC, g.check_id, g.family, g.fragment
