-- Which checks does anybody know: the catalog of the newest ingest, or the logs?
-- Grain: one row per check.
-- Parameters: none
SELECT check_id FROM checks
UNION
SELECT check_id FROM fires WHERE check_id IS NOT NULL
ORDER BY check_id
