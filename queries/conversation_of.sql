-- To which conversation does a record belong?
-- Grain: one row, or none where there is no such record. session is the record's own, or the name of the inferred run that it was put into, or NULL.
-- Parameters: $event_id
SELECT coalesce(e.session, i.run) AS session
FROM events e LEFT JOIN inferred_runs i ON i.event_id = e.event_id
WHERE e.event_id = $event_id
