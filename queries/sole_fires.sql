-- How often was each check of a collect-all family the only one that objected?
-- Grain: one row per check that fired.
-- Parameters: $since, $until, $agent
WITH told AS (
    SELECT objection, count(*) AS records FROM objected_in($since, $until, $agent) WHERE NOT template GROUP BY objection
)
SELECT o.check_id, sum(t.records)::BIGINT AS fires, coalesce(sum(t.records) FILTER (o.sole), 0)::BIGINT AS sole_fires
FROM told t JOIN objecting o ON o.objection = t.objection JOIN checks c ON c.check_id = o.check_id
WHERE c.mode = 'collect-all'
GROUP BY o.check_id ORDER BY o.check_id
