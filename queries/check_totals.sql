-- What do the logs say of each check: fires, evaluations, first drafts, sessions, days?
-- Grain: one row per check of the catalog, and per check that only the logs know.
-- Parameters: $since, $until, $agent
SELECT * FROM check_totals_in($since, $until, $agent) ORDER BY family, retired, "order", check_id
