-- How often was each check evaluated in the window? (Asked of the newest days, to tell a quiet check from an idle one.)
-- Grain: one row per live check whose family was evaluated.
-- Parameters: $since, $until, $agent
WITH by_reach AS (
    SELECT family, scope, coalesce(stopped_at, 2147483647) AS reach, count(*) AS items
    FROM items_in($since, $until, $agent) GROUP BY family, scope, reach
)
SELECT c.check_id, sum(r.items)::BIGINT AS evaluated
FROM checks c JOIN by_reach r ON r.family = c.family AND r.reach >= c."order" AND (r.scope IS NULL OR starts_with(c.check_id, r.scope))
WHERE NOT c.retired
GROUP BY c.check_id ORDER BY c.check_id
