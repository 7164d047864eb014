-- Which checks of a collect-all family object to the same drafts, and which is contained in which?
-- Grain: one row per ordered pair of checks that ever fired together; contained = every fire of check_a is also one of check_b.
-- Parameters: $since, $until, $agent
-- drafts are all that the family is known to have judged, those of incomplete runs included.
WITH told AS MATERIALIZED (
    SELECT objection, item_family, count(*) AS records FROM objected_in($since, $until, $agent) WHERE NOT template GROUP BY objection, item_family
), fired AS MATERIALIZED (
    SELECT t.objection, t.item_family, t.records, o.check_id, o.family
    FROM told t JOIN objecting o ON o.objection = t.objection JOIN checks c ON c.check_id = o.check_id WHERE c.mode = 'collect-all'
), totals AS (
    SELECT check_id, sum(records)::BIGINT AS fires FROM fired GROUP BY check_id
), judged AS (
    SELECT family, sum(drafts)::BIGINT AS drafts FROM (
        SELECT family, count(*) AS drafts FROM items_in($since, $until, $agent) GROUP BY family
        UNION ALL
        SELECT family, sum(records) FROM (SELECT DISTINCT objection, item_family, records, family FROM fired)
        WHERE item_family IS DISTINCT FROM family GROUP BY family
    ) GROUP BY family
), pairs AS (
    SELECT a.check_id AS check_a, b.check_id AS check_b, any_value(a.family) AS family, sum(a.records)::BIGINT AS together
    FROM fired a JOIN fired b ON b.objection = a.objection AND b.item_family IS NOT DISTINCT FROM a.item_family AND b.check_id <> a.check_id
    GROUP BY a.check_id, b.check_id
)
SELECT p.check_a, p.check_b, p.together, a.fires AS fires_a, b.fires AS fires_b, j.drafts, p.together = a.fires AS contained
FROM pairs p JOIN totals a ON a.check_id = p.check_a JOIN totals b ON b.check_id = p.check_b JOIN judged j ON j.family = p.family
ORDER BY p.together DESC, p.check_a, p.check_b
