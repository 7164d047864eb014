-- Which records have no time, so that they count only where no window is set?
-- Grain: one row per file, system and kind.
-- Parameters: $agent
SELECT f.file, e.system, e.kind, count(*) AS records
FROM events_in(NULL::TIMESTAMP, NULL::TIMESTAMP, $agent) e LEFT JOIN files f ON f.file_id = e.file_id
WHERE e.time IS NULL
GROUP BY f.file, e.system, e.kind ORDER BY records DESC, f.file, e.system, e.kind
