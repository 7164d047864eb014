-- What was done to the texts of the logs before they were stored?
-- Grain: one row per choice (none, names, text, or several joined by ", ") and the files read under it.
-- Parameters: none
SELECT redaction, count(*) AS files, sum(lines)::BIGINT AS lines, max(last_seen) AS last_seen
FROM files GROUP BY redaction ORDER BY redaction
