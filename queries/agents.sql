-- Which agents do the logs name?
-- Grain: one row per agent; NULL for the records that name none.
-- Parameters: $since, $until
SELECT agent, count(*) AS records, min(time) AS first_record, max(time) AS last_record
FROM events_in($since, $until, NULL::VARCHAR)
GROUP BY agent ORDER BY records DESC, agent
