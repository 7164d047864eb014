-- What do the logs hold of one conversation, record by record?
-- Grain: one row per record, in the order in which it happened. $session is a session, or the name of an inferred run.
-- Parameters: $session
-- run_number counts the conversation's Socratic runs from 1; it is NULL outside them. repeats is true where another record told the same before.
WITH run_of AS (
    -- A run begins with the line that stage_runs names, and goes on to the next that begins one.
    SELECT e.event_id, count(r.run) OVER (ORDER BY e.time, e.file_id, e.byte_offset, e.part ROWS UNBOUNDED PRECEDING) AS segment
    FROM events e LEFT JOIN inferred_runs i ON i.event_id = e.event_id LEFT JOIN all_runs r ON r.run = e.event_id
    WHERE coalesce(e.session, i.run) = $session AND e.system = 'socratic' AND e.duplicate_of IS NULL
), told AS (
    SELECT e.event_id, list(f.fragment ORDER BY f.position) AS fragments, list(coalesce(f.check_id, '') ORDER BY f.position) AS check_ids
    FROM fires f JOIN events e ON e.event_id = f.event_id LEFT JOIN inferred_runs i ON i.event_id = e.event_id
    WHERE coalesce(e.session, i.run) = $session GROUP BY e.event_id
)
SELECT
    e.event_id, e.time, e.system, e.kind, e.agent, e.session IS NULL AS inferred, e.version, e.attempt, e.attempts, e.outcome, e.severity, e.action,
    e.subject, e.goal, e.text, e.ok_count, e.fail_count, e.extra, r.segment AS run_number,
    coalesce(t.fragments, []) AS fragments, coalesce(t.check_ids, []) AS check_ids,
    e.duplicate_of IS NOT NULL AS repeats, n.file, e.line, e.stream
FROM events e
LEFT JOIN inferred_runs i ON i.event_id = e.event_id
LEFT JOIN run_of r ON r.event_id = e.event_id
LEFT JOIN told t ON t.event_id = e.event_id
LEFT JOIN files n ON n.file_id = e.file_id
WHERE coalesce(e.session, i.run) = $session
ORDER BY e.time NULLS LAST, e.file_id, e.byte_offset, e.part, e.event_id
