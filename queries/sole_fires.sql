-- How often was each check of a collect-all family the only one that objected?
-- Grain: one row per check that fired.
-- Parameters: $since, $until, $agent
SELECT f.check_id, count(*) AS fires, count(*) FILTER (f.sole) AS sole_fires
FROM fired_in($since, $until, $agent) f JOIN checks c ON c.check_id = f.check_id
WHERE c.mode = 'collect-all' AND f.kind <> 'template_failed'
GROUP BY f.check_id ORDER BY f.check_id
