-- How often was each check of a first-match family reached, and which earlier check stopped the others?
-- Grain: one row per check and what stopped items before it; a check that nothing shadows has one row with stopped = 0. stopped_by is NULL for that, and where the reason is not the catalog's.
-- Parameters: $since, $until, $agent
WITH by_reach AS MATERIALIZED (
    SELECT family, stopped_at, count(*) AS items FROM items_in($since, $until, $agent) GROUP BY family, stopped_at
), total AS (
    SELECT family, sum(items)::BIGINT AS family_evaluated FROM by_reach GROUP BY family
), live AS (
    SELECT check_id, family, "order" FROM checks WHERE mode = 'first-match' AND NOT retired
), stopped AS (
    SELECT c.check_id, r.stopped_at, r.items FROM live c JOIN by_reach r ON r.family = c.family AND r.stopped_at < c."order"
), lost AS (
    SELECT check_id, sum(items)::BIGINT AS items FROM stopped GROUP BY check_id
)
SELECT
    c.check_id, c.family, c."order", t.family_evaluated, t.family_evaluated - coalesce(l.items, 0) AS reached,
    b.check_id AS stopped_by, coalesce(s.items, 0) AS stopped
FROM live c
JOIN total t ON t.family = c.family
LEFT JOIN lost l ON l.check_id = c.check_id
LEFT JOIN stopped s ON s.check_id = c.check_id
LEFT JOIN live b ON b.family = c.family AND b."order" = s.stopped_at
ORDER BY c.family, c."order", stopped DESC, b."order" NULLS LAST
