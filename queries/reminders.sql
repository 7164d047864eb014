-- On which repeated failures did in-turn reflection step in?
-- Grain: one row per tool and failure signature as logged.
-- Parameters: $since, $until, $agent
SELECT e.subject AS tool, f.fragment AS signature, f.check_id, count(*) AS reminders, min(e.time) AS first_seen, max(e.time) AS last_seen
FROM events_in($since, $until, $agent) e LEFT JOIN fires f ON f.event_id = e.event_id
WHERE e.system = 'reflection' AND e.kind = 'reminder'
GROUP BY tool, signature, f.check_id ORDER BY reminders DESC, tool, signature
