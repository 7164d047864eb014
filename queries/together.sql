-- Which checks of a collect-all family object to the same drafts, and which is contained in which?
-- Grain: one row per ordered pair of checks that ever fired together; contained = every fire of check_a is also one of check_b.
-- Parameters: $since, $until, $agent
-- drafts are all that the family is known to have judged, those of incomplete runs included.
WITH fired AS MATERIALIZED (
    SELECT f.event_id, f.check_id, f.family
    FROM fired_in($since, $until, $agent) f JOIN checks c ON c.check_id = f.check_id
    WHERE c.mode = 'collect-all' AND f.kind <> 'template_failed'
), totals AS (
    SELECT check_id, count(*) AS fires FROM fired GROUP BY check_id
), judged AS (
    SELECT family, count(*) AS drafts FROM (
        SELECT family, event_id FROM fired UNION SELECT family, event_id FROM items_in($since, $until, $agent)
    ) GROUP BY family
), pairs AS (
    SELECT a.check_id AS check_a, b.check_id AS check_b, any_value(a.family) AS family, count(*) AS together
    FROM fired a JOIN fired b ON b.event_id = a.event_id AND b.check_id <> a.check_id
    GROUP BY ALL
)
SELECT p.check_a, p.check_b, p.together, a.fires AS fires_a, b.fires AS fires_b, j.drafts, p.together = a.fires AS contained
FROM pairs p JOIN totals a ON a.check_id = p.check_a JOIN totals b ON b.check_id = p.check_b JOIN judged j ON j.family = p.family
ORDER BY p.together DESC, p.check_a, p.check_b
