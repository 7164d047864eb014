-- To which drafts did a check object, and what else was wrong with each?
-- Grain: one row per rejected draft, newest first; total is their number without the limit.
-- Parameters: $since, $until, $agent, $check_id, $limit = 200
WITH hit AS (
    SELECT event_id, sole FROM fired_in($since, $until, $agent) WHERE check_id = $check_id
), listed AS (
    SELECT e.*, h.sole, count(*) OVER () AS total
    FROM hit h JOIN events e ON e.event_id = h.event_id WHERE e.kind = 'draft_rejected'
    ORDER BY e.time DESC NULLS LAST, e.event_id LIMIT $limit
)
SELECT
    l.event_id, l.time, l.session, l.agent, l.attempt, l.text AS draft, l.sole,
    (SELECT string_agg(f.fragment, '; ' ORDER BY f.position) FROM fires f WHERE f.event_id = l.event_id) AS reasons,
    n.file, l.line, l.total
FROM listed l LEFT JOIN files n ON n.file_id = l.file_id
ORDER BY l.time DESC NULLS LAST, l.event_id
