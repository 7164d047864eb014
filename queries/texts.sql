-- What do these records say, word for word?
-- Grain: one row per record; $events are their numbers.
-- Parameters: $events
SELECT
    e.event_id, e.text, (SELECT string_agg(f.fragment, '; ' ORDER BY f.position) FROM fires f WHERE f.event_id = e.event_id) AS reasons,
    n.file, e.line
FROM events e LEFT JOIN files n ON n.file_id = e.file_id
WHERE list_contains($events::BIGINT[], e.event_id)
ORDER BY e.event_id
