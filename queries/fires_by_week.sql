-- How often did each check fire per week, out of how many evaluations?
-- Grain: one row per check and week (its Monday, UTC) in which it was evaluated or fired; evaluated is NULL where it is not known.
-- Parameters: $since, $until, $agent
WITH judged AS (
    SELECT family, scope, date_trunc('week', time)::DATE AS week, coalesce(stopped_at, 2147483647) AS reach, count(*) AS items
    FROM items_in($since, $until, $agent) WHERE time IS NOT NULL
    GROUP BY family, scope, week, reach
), evaluated AS (
    SELECT c.check_id, c.family, j.week, sum(j.items)::BIGINT AS evaluated
    FROM checks c JOIN judged j ON j.family = c.family AND j.reach >= c."order" AND (j.scope IS NULL OR starts_with(c.check_id, j.scope))
    WHERE NOT c.retired
    GROUP BY c.check_id, c.family, j.week
), fired AS (
    SELECT check_id, any_value(family) AS family, date_trunc('week', time)::DATE AS week, count(*) AS fires
    FROM fired_in($since, $until, $agent) WHERE time IS NOT NULL AND kind <> 'template_failed'
    GROUP BY check_id, week
)
SELECT
    coalesce(e.check_id, f.check_id) AS check_id, coalesce(e.family, f.family) AS family, coalesce(e.week, f.week) AS week,
    coalesce(f.fires, 0) AS fires, e.evaluated
FROM evaluated e FULL JOIN fired f ON f.check_id = e.check_id AND f.week = e.week
ORDER BY check_id, week
