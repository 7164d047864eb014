-- Why could records not be read, and in how many files?
-- Grain: one row per reason.
-- Parameters: none
SELECT why, count(*) AS rejects, count(DISTINCT file_id) AS files FROM rejects GROUP BY why ORDER BY rejects DESC, why
