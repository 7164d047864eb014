-- How many attempts did it take, by outcome?
-- Grain: one row per system, number of attempts and outcome: complete Socratic runs by the outcome of their summary, probe answers by whether they were read.
-- Parameters: $since, $until, $agent
SELECT 'socratic' AS system, attempts, outcome, count(*) AS runs
FROM runs_in($since, $until, $agent) WHERE complete
GROUP BY attempts, outcome
UNION ALL
SELECT 'probe', e.attempts, CASE WHEN f.event_id IS NOT NULL THEN 'refused' WHEN e.extra ->> '$.value' IS NOT NULL THEN 'read' ELSE 'unknown' END AS outcome, count(*)
FROM events_in($since, $until, $agent) e
LEFT JOIN (SELECT DISTINCT event_id FROM fires WHERE family = 'probe.scale') f ON f.event_id = e.event_id
WHERE e.system = 'probe' AND e.kind = 'answer'
GROUP BY ALL
ORDER BY system DESC, attempts, outcome
