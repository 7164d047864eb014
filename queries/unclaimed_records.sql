-- How many records that name no session stand in these streams at that time, so that they may belong to a conversation or not?
-- Grain: one row per kind of record.
-- Parameters: $streams, $from_time, $to_time
SELECT e.system, e.kind, count(*) AS records
FROM events e LEFT JOIN inferred_runs i ON i.event_id = e.event_id
WHERE e.session IS NULL AND i.run IS NULL AND e.duplicate_of IS NULL
  AND e.system IN ('agent', 'guardrail', 'socratic')
  AND list_contains($streams::VARCHAR[], e.stream) AND e.time >= $from_time AND e.time <= $to_time
GROUP BY e.system, e.kind ORDER BY records DESC, e.system, e.kind
