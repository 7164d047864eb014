-- Which is the newest log record read from each family, whether or not a check fired in it?
-- Grain: one row per family that has left any record.
-- Parameters: $since, $until, $agent
SELECT
    CASE e.system
        WHEN 'socratic' THEN 'socratic.shape' WHEN 'agent' THEN 'socratic.slots' WHEN 'turn' THEN 'gates' WHEN 'probe' THEN 'probe.scale'
        ELSE e.system
    END AS family,
    count(*) AS records, min(e.time) AS first_record, max(e.time) AS last_record
FROM events_in($since, $until, $agent) e
WHERE e.system <> 'protocol'
GROUP BY family ORDER BY family
